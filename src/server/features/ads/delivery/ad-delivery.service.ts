import {
  adPlacements,
  type AdDevice,
  type AdPlacement,
  type AdSlotInfo,
  type AdType,
} from "../../../../contract/ads.ts";
import { stoppedKey } from "../../../../contract/stopped-ads.ts";
import type { Db } from "../../../db/connection.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { SettingsService } from "../../settings/settings.service.ts";
import { findAd } from "../admin/ads.repository.ts";
import { publicAdListText } from "../ads.presenter.ts";
import { drawServeId, type ServeTokens } from "../counting/serve-token.ts";
import { listVisitorCounts } from "./ad-delivery.repository.ts";
import {
  dayOf,
  runsInPage,
  type AdDirectory,
  type DeliverableAd,
  type Snapshot,
} from "./ad-directory.ts";
import type { AdReservations } from "./ad-reservations.ts";
import {
  allowedBy,
  isBreakRefused,
  isCounted,
  isInsideDates,
  isWithinLimits,
  suitsAudience,
  type BreakRequest,
} from "./delivery-rules.ts";
import { drawAds, type Drawn } from "./draw-ads.ts";
import { looksLikeRobot } from "../../../http/access/user-agent.ts";
import { deviceOf, languagesOf } from "./user-agent.ts";

interface AdRequest extends BreakRequest {
  types: readonly AdType[] | null;
  limit: number;
  /** Slugs of the categories of the content around the ad. */
  categories: readonly string[];
  /** Null: derived from the user agent. */
  device: AdDevice | null;
  userAgent: string | undefined;
  mobileHint: string | undefined;
  acceptLanguage: string | undefined;
  visitorId: string;
  /** Ads that the visitor does not want to see (`stoppedKey`). */
  stopped: ReadonlySet<string>;
  /** Whether ads that run in the page may be among them. */
  hasConsent: boolean;
}

/** Chooses the ads for a visitor. */
export interface AdDelivery {
  /** The JSON of a `PublicAdList`. */
  listText(request: AdRequest): Promise<string>;
  /** The slots that have ads now, the same for every visitor. */
  listSlots(): Promise<AdSlotInfo[]>;
  /** An ad that is shown now, or null. */
  findLive(id: string): Promise<DeliverableAd | null>;
  /** The link of an ad, live or not: an ad can be clicked after it has ended. */
  findLink(id: string): Promise<string | null>;
}

/** The ads of one placement and type that are inside their dates, until the next start or end. */
interface Pool {
  snapshot: Snapshot;
  untilMs: number;
  ads: DeliverableAd[];
  hasRules: boolean;
  isUniform: boolean;
  /** The slot of the placement, once a page has asked for it. */
  slot?: AdSlotInfo;
}

const maxPools = 200;
/** How often a response is drawn again because others were faster; then unlimited ads remain. */
const maxDraws = 3;
const isUniform = (ads: readonly DeliverableAd[]) =>
  ads.every((ad) => ad.weight === ads[0]?.weight);

export function createAdDelivery(deps: {
  db: Db;
  clock: Clock;
  directory: AdDirectory;
  serves: ServeTokens;
  reservations: AdReservations;
  settings: Pick<SettingsService, "getAds">;
  random?: () => number;
}): AdDelivery {
  const { db, clock, directory, serves, reservations, settings, random = Math.random } = deps;
  const pools = new Map<string, Pool>();

  function poolFor(
    snapshot: Snapshot,
    request: Pick<AdRequest, "placement" | "types" | "hasConsent">,
    nowMs: number,
  ): Pool {
    const { hasConsent } = request;
    const key = `${request.placement ?? ""} ${request.types?.join() ?? ""} ${hasConsent}`;
    const kept = pools.get(key);
    if (kept !== undefined && kept.snapshot === snapshot && nowMs < kept.untilMs) return kept;

    const matching = snapshot.ads.filter(
      ({ row }) =>
        (hasConsent || !runsInPage(row)) &&
        (request.placement === null || row.placement === request.placement) &&
        (request.types === null || request.types.includes(row.type)),
    );
    const changes = matching.flatMap((ad) => [ad.startsAtMs, ad.endsAtMs]);
    const ads = matching.filter((ad) => isInsideDates(ad, nowMs));
    const pool: Pool = {
      snapshot,
      untilMs: changes.reduce((next, at) => (at > nowMs && at < next ? at : next), Infinity),
      ads,
      hasRules: ads.some((ad) => ad.hasRules),
      isUniform: isUniform(ads),
    };
    if (pools.size >= maxPools) pools.clear();
    pools.set(key, pool);
    return pool;
  }

  /** The ads that suit the visitor and have not reached a limit. */
  async function listAllowed(
    request: AdRequest,
    pool: Pool,
    nowMs: number,
    isRefused: boolean,
  ): Promise<DeliverableAd[]> {
    const audience = {
      device: request.device ?? deviceOf(request.userAgent, request.mobileHint),
      languages: languagesOf(request.acceptLanguage),
      categories: request.categories,
    };
    const suited = pool.ads.filter(
      (ad) =>
        (!isRefused || ad.row.ignores_break_rules) &&
        (request.stopped.size === 0 || !request.stopped.has(stoppedKey(ad.id))) &&
        (!ad.hasRules ||
          (suitsAudience(ad, audience) &&
            ((ad.dailyLimit === null && ad.totalLimit === null) ||
              isWithinLimits(ad, directory.impressions(ad.id), nowMs)))),
    );
    const seen = suited.some((ad) => ad.visitorDailyCap !== null)
      ? await listVisitorCounts(db, request.visitorId, dayOf(new Date(nowMs)))
      : new Map<string, number>();
    return suited.filter(
      (ad) => ad.visitorDailyCap === null || (seen.get(ad.id) ?? 0) < ad.visitorDailyCap,
    );
  }

  /** Draws ads and reserves the limited ones; what others were faster to take is left out. */
  async function drawReserved(
    request: AdRequest,
    allowed: DeliverableAd[],
    serve: string,
  ): Promise<Drawn<DeliverableAd>[]> {
    const granted = new Set<string>();
    const { placement, visitorId, limit } = request;
    // The impressions of robots do not count, whatever they are sent.
    const needsGrant = (ad: DeliverableAd) =>
      isCounted(ad) && !granted.has(ad.id) && !looksLikeRobot(request.userAgent);
    let ads = allowed;
    for (let draws = 1; ; draws += 1) {
      const pool = withoutHouseAds(ads);
      const drawn = drawAds(pool, limit, isUniform(pool), random);
      const wanted = drawn.map(({ item }) => item).filter(needsGrant);
      if (wanted.length === 0) return drawn;
      const nowMs = clock.now();
      const got = await reservations.reserve({
        serve,
        visitorId,
        // The feed shows one ad after another, other places one of what they get.
        isSingle: placement !== null && placement !== "feed",
        ads: wanted.map((ad) => ({
          id: ad.id,
          allowed: allowedBy(ad, nowMs),
          visitorDailyCap: ad.visitorDailyCap,
        })),
      });
      for (const id of got) granted.add(id);
      const refused = new Set(wanted.filter((ad) => !got.has(ad.id)));
      if (refused.size === 0) return drawn;
      ads = ads.filter((ad) => (draws < maxDraws ? !refused.has(ad) : !needsGrant(ad)));
    }
  }

  return {
    async listText(request) {
      const snapshot = await directory.current();
      const nowMs = clock.now();
      const pool = poolFor(snapshot, request, nowMs);
      const id = drawServeId();
      const { durationS, sinceBreakS } = request;
      const isRefused =
        (durationS !== null || sinceBreakS !== null) &&
        isBreakRefused(request, await settings.getAds());
      const drawn =
        pool.hasRules || request.stopped.size > 0 || isRefused
          ? await drawReserved(
              request,
              await listAllowed(request, pool, nowMs, isRefused),
              id.number,
            )
          : drawAds(pool.ads, request.limit, pool.isUniform, random);
      const serve = serves.create({
        id,
        visitorId: request.visitorId,
        placement: request.placement,
        adKeys: drawn.map(({ item }) => item.key),
      });
      return publicAdListText(
        drawn.map(({ item, weight }) => ({ text: item.text, weight })),
        serve,
      );
    },
    async listSlots() {
      const snapshot = await directory.current();
      const nowMs = clock.now();
      return adPlacements.flatMap((placement) => {
        const pool = poolFor(snapshot, { placement, types: null, hasConsent: true }, nowMs);
        if (pool.ads.length === 0) return [];
        return [(pool.slot ??= slotInfo(placement, pool.ads))];
      });
    },
    async findLive(id) {
      const { byId } = await directory.current();
      const ad = byId.get(id.toLowerCase());
      return ad !== undefined && isInsideDates(ad, clock.now()) ? ad : null;
    },
    async findLink(id) {
      const known = (await directory.current()).byId.get(id.toLowerCase());
      return (known?.row ?? (await findAd(db, id)))?.link_url ?? null;
    },
  };
}

/** House ads are shown only if there is no other ad. */
function withoutHouseAds(ads: readonly DeliverableAd[]): DeliverableAd[] {
  const paying = ads.filter((ad) => !ad.isHouse);
  return paying.length > 0 ? paying : [...ads];
}

function slotInfo(placement: AdPlacement, ads: readonly DeliverableAd[]): AdSlotInfo {
  const inline = ads.filter(({ row }) => row.type !== "popup");
  const largest = inline.reduce<{ widthPx: number; heightPx: number } | null>(
    (best, { row: { width_px: widthPx, height_px: heightPx } }) =>
      widthPx !== null && heightPx !== null && heightPx > (best?.heightPx ?? 0)
        ? { widthPx, heightPx }
        : best,
    null,
  );
  const inPage = ads.filter(({ row }) => runsInPage(row)).length;
  const { widthPx, heightPx } = largest ?? { widthPx: null, heightPx: null };
  return {
    ...{ placement, isInline: inline.length > 0, widthPx, heightPx },
    ...(inPage === 0 ? {} : { needsConsent: inPage === ads.length ? "all" : "some" }),
  };
}
