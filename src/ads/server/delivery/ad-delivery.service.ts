import { adPlacements, type AdSlotInfo } from "../../contract/ads.ts";
import { stoppedKey } from "../../contract/stopped-ads.ts";
import type { Db } from "#server/db/connection.ts";
import { looksLikeRobot } from "#server/http/access/user-agent.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import { findAd } from "../records/ads.repository.ts";
import { publicAdListText } from "../records/ads.presenter.ts";
import type { RequestCounter } from "../counting/request-counter.ts";
import { drawServeId, type ServeTokens } from "../serves/serve-token.ts";
import { listReferralCodes, listVisitorCounts } from "./ad-delivery.repository.ts";
import { dayIn } from "../../contract/site-zone.ts";
import type { AdDirectory, DeliverableAd } from "./ad-directory.ts";
import {
  createAdPools,
  slotInfo,
  suitedGroups,
  withAds,
  type Pool,
  type PoolGroup,
} from "./ad-pools.ts";
import type { AdRequest } from "./ad-request.ts";
import type { AdReservations } from "../serves/ad-reservations.ts";
import {
  isBreak,
  isWithinDates,
  isWithinLimits,
  refusalOf,
  suitsAudience,
} from "../rules/delivery-rules.ts";
import { drawAds } from "./draw-ads.ts";
import { createDraw } from "./draw-request.ts";

/** Chooses ads for a visitor. */
export interface AdDelivery {
  /** Returns the JSON of a `PublicAdList`. */
  listText(request: AdRequest): Promise<string>;
  /** Returns the slots with current ads, the same for every visitor. */
  listSlots(): Promise<AdSlotInfo[]>;
  /** Returns a running ad, or null. */
  findLive(id: string): Promise<DeliverableAd | null>;
  /** Returns the link of an ad, live or not, because an ad can be clicked after it has ended. */
  findLink(id: string): Promise<string | null>;
}

/** Returns whether the campaign or one of the ads has a cap per visitor. */
const isCapped = ({ campaign, hasOwnRules, ads }: PoolGroup) =>
  (campaign?.visitorDailyCap ?? null) !== null ||
  (hasOwnRules && ads.some(({ visitorDailyCap }) => visitorDailyCap !== null));

const referrals = ({ campaign }: PoolGroup) => campaign?.targetReferrals ?? [];

export function createAdDelivery(deps: {
  db: Db;
  clock: Clock;
  directory: AdDirectory;
  serves: ServeTokens;
  reservations: AdReservations;
  requests: RequestCounter;
  settings: Pick<SettingsService, "getAds">;
  random?: () => number;
}): AdDelivery {
  const { db, clock, directory, serves, requests, settings, random = Math.random } = deps;
  const poolFor = createAdPools();
  const drawReserved = createDraw({ ...deps, random });

  /** Returns the ads that target the visitor and haven't reached a limit. */
  async function listAllowed(
    request: AdRequest,
    pool: Pool,
    nowMs: number,
    refusal: ReturnType<typeof refusalOf>,
  ): Promise<readonly PoolGroup[]> {
    const { stopped, only } = request;
    const { audience, groups: suited, asksVisitor } = suitedGroups(pool, request, nowMs);
    const differsByVisitor = refusal !== null || stopped.size > 0 || only !== undefined;
    if (!differsByVisitor && !asksVisitor) return suited;
    const suits = (ad: DeliverableAd): boolean =>
      (only === undefined || ad.id === only) &&
      (refusal === null ||
        ad.row.ignores_break_rules ||
        (refusal === "short" && ad.row.is_bumper)) &&
      (stopped.size === 0 || !stopped.has(stoppedKey(ad.id))) &&
      (!ad.hasRules ||
        (suitsAudience(ad, audience) &&
          ((ad.dailyLimit === null && ad.totalLimit === null) ||
            isWithinLimits(ad, directory.impressions(ad.id), nowMs))));
    const groups = withAds(suited, suits, ({ hasOwnRules }) => differsByVisitor || hasOwnRules);

    const seen = groups.some(isCapped)
      ? await listVisitorCounts(db, request.visitorId, new Date(nowMs))
      : new Map<string, number>();
    const isFree = ({ id, visitorDailyCap }: Pick<DeliverableAd, "id" | "visitorDailyCap">) =>
      visitorDailyCap === null || (seen.get(id) ?? 0) < visitorDailyCap;
    const allowed = withAds(
      groups.filter(({ campaign }) => campaign === null || isFree(campaign)),
      isFree,
      ({ hasOwnRules }) => hasOwnRules,
    );
    if (!allowed.some((group) => referrals(group).length > 0)) return allowed;
    const codes = await listReferralCodes(db, request.visitorId);
    return allowed.filter(
      (group) => referrals(group).length === 0 || referrals(group).some((code) => codes.has(code)),
    );
  }

  return {
    async listText(request) {
      const snapshot = await directory.current();
      const nowMs = clock.now();
      const pool = poolFor(snapshot, request, nowMs);
      const id = drawServeId();
      const { durationS, sinceBreakS, placement } = request;
      const refusal =
        durationS === null && sinceBreakS === null
          ? null
          : refusalOf(request, await settings.getAds());
      const drawn =
        pool.hasRules || request.stopped.size > 0 || refusal !== null || request.only !== undefined
          ? await drawReserved(
              request,
              await listAllowed(request, pool, nowMs, refusal),
              new Set(request.beside.flatMap((key) => snapshot.words.get(key) ?? [])),
              id.number,
            )
          : drawAds(pool.ads, request.limit, pool.isUniform, random);
      requests.note({
        day: dayIn(snapshot.timeZone, nowMs),
        placement,
        isRobot: looksLikeRobot(request.userAgent),
        isFilled: drawn.length > 0,
      });
      const serve = serves.create({
        id,
        visitorId: request.visitorId,
        placement,
        adKeys: drawn.map(({ key }) => key),
      });
      return publicAdListText(
        drawn.map(({ text }) => text),
        { serve, podMaxS: isBreak(placement) ? (await settings.getAds()).podMaxS : undefined },
      );
    },
    async listSlots() {
      const snapshot = await directory.current();
      const nowMs = clock.now();
      return adPlacements.flatMap((placement) => {
        const pool = poolFor(snapshot, { placement, types: null, allowsTrusted: true }, nowMs);
        if (pool.ads.length === 0) return [];
        return [(pool.slot ??= slotInfo(placement, pool.ads))];
      });
    },
    async findLive(id) {
      const { byId } = await directory.current();
      const ad = byId.get(id.toLowerCase());
      return ad !== undefined && isWithinDates(ad, clock.now()) ? ad : null;
    },
    async findLink(id) {
      const known = (await directory.current()).byId.get(id.toLowerCase());
      return (known?.row ?? (await findAd(db, id)))?.link_url ?? null;
    },
  };
}
