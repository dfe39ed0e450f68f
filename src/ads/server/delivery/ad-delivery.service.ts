import {
  adPlacements,
  type AdPlacement,
  type AdSlotInfo,
  type PublicAdList,
} from "../../contract/ads.ts";
import { stoppedKey } from "../../contract/stopped-ads.ts";
import type { Db } from "#server/db/connection.ts";
import { looksLikeRobot } from "#server/http/access/user-agent.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import { languagesOf } from "#server/http/page-language.ts";
import { findAd } from "../records/ads.repository.ts";
import { presentPublicAd } from "../records/ads.presenter.ts";
import type { RequestCounter } from "../counting/request-counter.ts";
import { adKey, drawServeId, type ServeTokens } from "../serves/serve-token.ts";
import { listReferralCodes } from "./ad-delivery.repository.ts";
import { dayIn } from "../../contract/site-zone.ts";
import { runsInPage, type AdDirectory, type DeliverableAd } from "./ad-directory.ts";
import type { AdReservations } from "../serves/ad-reservations.ts";
import { listVisitorCounts, visitorKey } from "../serves/reservations.repository.ts";
import { suitsCampaign } from "../rules/campaign-rules.ts";
import {
  adDeviceOf,
  isBreak,
  isWithinDates,
  isWithinLimits,
  refusalOf,
  suitsAudience,
  type BreakRules,
} from "../rules/delivery-rules.ts";
import { createDraw, type AdRequest } from "./draw-request.ts";

/** Chooses ads for a visitor. */
export function createAdDelivery(deps: {
  db: Db;
  clock: Clock;
  directory: AdDirectory;
  serves: ServeTokens;
  reservations: AdReservations;
  requests: RequestCounter;
  settings: SettingsService;
  random?: () => number;
}) {
  const { db, clock, directory, serves, requests, settings, random = Math.random } = deps;
  const drawReserved = createDraw({ ...deps, random });

  /** Returns the ads that suit the request and haven't reached a limit. */
  function listSuitable(
    ads: readonly DeliverableAd[],
    request: AdRequest,
    breaks: BreakRules,
    nowMs: number,
  ): DeliverableAd[] {
    const { placement, types, only, stopped, allowsTrusted, acceptLanguage } = request;
    const { categories, tags, country } = request;
    const refusal = refusalOf(request, breaks);
    const device = request.device ?? adDeviceOf(request.userAgent, request.mobileHint);
    const languages = languagesOf(acceptLanguage);
    const audience = { device, languages, categories, tags, country };
    return ads.filter(
      (ad) =>
        (placement === null || ad.row.placement === placement) &&
        (types === null || types.includes(ad.row.type)) &&
        (allowsTrusted || !runsInPage(ad.row)) &&
        isWithinDates(ad, nowMs) &&
        (only === undefined || ad.id === only) &&
        (refusal === null ||
          ad.row.ignores_break_rules ||
          (refusal === "short" && ad.row.is_bumper)) &&
        !stopped.has(stoppedKey(ad.id)) &&
        suitsAudience(ad, audience) &&
        (ad.campaign === null || suitsCampaign(ad.campaign, audience, nowMs)) &&
        isWithinLimits(ad, directory.impressions(ad.id), nowMs),
    );
  }

  /** Drops ads that the visitor has seen often enough, or that target other referral links. */
  async function dropByVisitor(
    ads: readonly DeliverableAd[],
    visitorId: string,
    nowMs: number,
  ): Promise<readonly DeliverableAd[]> {
    const capsOf = (ad: DeliverableAd) =>
      [ad, ad.campaign].flatMap((capped) =>
        capped === null || capped.visitorDailyCap === null
          ? []
          : [{ id: capped.id, cap: capped.visitorDailyCap }],
      );
    const seen = ads.some((ad) => capsOf(ad).length > 0)
      ? await listVisitorCounts(db, [visitorId], new Date(nowMs))
      : new Map<string, number>();
    const free = ads.filter((ad) =>
      capsOf(ad).every(({ id, cap }) => (seen.get(visitorKey({ id, visitorId })) ?? 0) < cap),
    );
    const referralsOf = ({ campaign }: DeliverableAd) => campaign?.targetReferrals ?? [];
    if (free.every((ad) => referralsOf(ad).length === 0)) return free;
    const codes = await listReferralCodes(db, visitorId);
    return free.filter(
      (ad) => referralsOf(ad).length === 0 || referralsOf(ad).some((code) => codes.has(code)),
    );
  }

  return {
    async list(request: AdRequest): Promise<PublicAdList> {
      const { placement, origin, visitorId } = request;
      const rules = await settings.current();
      if (origin === "embed" && !(rules.adsInEmbeds && isBreak(placement))) {
        return { ads: [], serve: serves.create({ visitorId, placement, origin, adKeys: [] }) };
      }
      const snapshot = await directory.current();
      const nowMs = clock.now();
      const suitable = listSuitable(snapshot.ads, request, rules, nowMs);
      const id = drawServeId();
      const drawn = await drawReserved(
        request,
        await dropByVisitor(suitable, visitorId, nowMs),
        new Set(request.beside.flatMap((key) => snapshot.words.get(key) ?? [])),
        id.number,
      );
      requests.note({
        day: dayIn(snapshot.timeZone, nowMs),
        placement,
        origin,
        isRobot: looksLikeRobot(request.userAgent),
        isFilled: drawn.length > 0,
      });
      const adKeys = drawn.map((ad) => adKey(ad.id));
      return {
        ads: drawn.map(({ row }) => presentPublicAd(row)),
        serve: serves.create({ id, visitorId, placement, origin, adKeys }),
        ...(isBreak(placement) ? { podMaxS: rules.podMaxS } : {}),
      };
    },
    /** Returns the slots with current ads, the same for every visitor. */
    async listSlots(): Promise<AdSlotInfo[]> {
      const { ads } = await directory.current();
      const current = ads.filter((ad) => isWithinDates(ad, clock.now()));
      return adPlacements.flatMap((placement) => {
        const own = current.filter(({ row }) => row.placement === placement);
        return own.length === 0 ? [] : [slotInfo(placement, own)];
      });
    },
    /** Returns a running ad, or null. */
    async findLive(id: string): Promise<DeliverableAd | null> {
      const { byId } = await directory.current();
      const ad = byId.get(id.toLowerCase());
      return ad !== undefined && isWithinDates(ad, clock.now()) ? ad : null;
    },
    /** Returns the link of an ad, live or not, because an ad can be clicked after it has ended. */
    async findLink(id: string): Promise<string | null> {
      const known = (await directory.current()).byId.get(id.toLowerCase());
      return (known?.row ?? (await findAd(db, id)))?.link_url ?? null;
    },
  };
}

export type AdDelivery = ReturnType<typeof createAdDelivery>;

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
    placement,
    isInline: inline.length > 0,
    hasPopups: inline.length < ads.length,
    widthPx,
    heightPx,
    ...(inPage === 0 ? {} : { needsConsent: inPage === ads.length ? "all" : "some" }),
  };
}
