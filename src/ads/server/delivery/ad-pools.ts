import type { AdPlacement, AdSlotInfo } from "../../contract/ads.ts";
import { runsInPage, type DeliverableAd, type Snapshot } from "./ad-directory.ts";
import { suitsCampaign, type CampaignRules } from "../rules/campaign-rules.ts";
import type { AdRequest } from "./ad-request.ts";
import { isWithinDates, type Audience } from "../rules/delivery-rules.ts";
import { deviceOf, languagesOf } from "../rules/user-agent.ts";

/** Ads of one campaign, or ads without one, with house ads separate. */
export interface PoolGroup {
  campaign: CampaignRules | null;
  isHouse: boolean;
  ads: readonly DeliverableAd[];
  /** True if some of the ads have their own rules. */
  hasOwnRules: boolean;
}

/** Current ads of one placement and type. The pool is valid until the next ad starts or ends. */
export interface Pool {
  snapshot: Snapshot;
  untilMs: number;
  ads: DeliverableAd[];
  groups: readonly PoolGroup[];
  hasRules: boolean;
  isUniform: boolean;
  /** Slot of the placement. Set once a page has requested it. */
  slot?: AdSlotInfo;
  /** Eligible groups per visitor profile, for the current hour. */
  suited: { hour: number; byVisitor: Map<string, Suited> };
}

export interface Suited {
  audience: Audience;
  groups: readonly PoolGroup[];
  /**
   * True if further checks depend on the visitor: ads with their own rules, or campaigns with a cap
   * per visitor or for referrals.
   */
  asksVisitor: boolean;
}

const maxPools = 200;
/** Maximum number of visitor profiles cached per pool. Pools differ by label and language. */
const maxSuited = 200;
const hourMs = 3_600_000;

export const isUniform = (ads: readonly DeliverableAd[]) =>
  ads.every((ad) => ad.weight === ads[0]?.weight);

function groupAds(ads: readonly DeliverableAd[]): PoolGroup[] {
  const groups = Map.groupBy(ads, ({ isHouse, campaign }) => `${isHouse} ${campaign?.id ?? ""}`);
  return [...groups.values()].map((members) => ({
    campaign: members[0]?.campaign ?? null,
    isHouse: members[0]?.isHouse ?? false,
    ads: members,
    hasOwnRules: members.some((ad) => ad.hasRules),
  }));
}

/**
 * Returns the groups with their suitable ads, without empty groups. A group for which `isAsked` is
 * false keeps all its ads.
 */
export function withAds(
  groups: readonly PoolGroup[],
  suits: (ad: DeliverableAd) => boolean,
  isAsked: (group: PoolGroup) => boolean = () => true,
): readonly PoolGroup[] {
  if (!groups.some(isAsked)) return groups;
  return groups.flatMap((group) => {
    if (!isAsked(group)) return [group];
    const ads = group.ads.filter(suits);
    return ads.length === 0 ? [] : [{ ...group, ads }];
  });
}

/** Caches the pools of a snapshot. */
export function createAdPools() {
  const pools = new Map<string, Pool>();

  return function poolFor(
    snapshot: Snapshot,
    request: Pick<AdRequest, "placement" | "types" | "allowsTrusted">,
    nowMs: number,
  ): Pool {
    const { allowsTrusted } = request;
    const key = `${request.placement ?? ""} ${request.types?.join() ?? ""} ${allowsTrusted}`;
    const kept = pools.get(key);
    if (kept !== undefined && kept.snapshot === snapshot && nowMs < kept.untilMs) return kept;

    const matching = snapshot.ads.filter(
      ({ row }) =>
        (allowsTrusted || !runsInPage(row)) &&
        (request.placement === null || row.placement === request.placement) &&
        (request.types === null || request.types.includes(row.type)),
    );
    const changes = matching.flatMap((ad) => [ad.startsAtMs, ad.endsAtMs]);
    const ads = matching.filter((ad) => isWithinDates(ad, nowMs));
    const pool: Pool = {
      snapshot,
      untilMs: changes.reduce((next, at) => (at > nowMs && at < next ? at : next), Infinity),
      ads,
      groups: groupAds(ads),
      hasRules: ads.some((ad) => ad.campaign !== null || ad.hasRules),
      isUniform: isUniform(ads),
      suited: { hour: 0, byVisitor: new Map() },
    };
    if (pools.size >= maxPools) pools.clear();
    pools.set(key, pool);
    return pool;
  };
}

/**
 * Returns the campaigns of a pool that target a visitor, before referrals are checked. Computed
 * once an hour per visitor profile, as there may be hundreds of campaigns.
 */
export function suitedGroups(
  pool: Pool,
  request: Omit<AdRequest, "visitorId">,
  nowMs: number,
): Suited {
  const { country, categories, tags, acceptLanguage } = request;
  const device = request.device ?? deviceOf(request.userAgent, request.mobileHint);
  const key = `${device} ${country} ${categories.join()} ${tags.join()} ${acceptLanguage}`;
  const hour = Math.floor(nowMs / hourMs);
  const { suited } = pool;
  if (suited.hour !== hour || suited.byVisitor.size >= maxSuited) {
    suited.hour = hour;
    suited.byVisitor.clear();
  }
  const known = suited.byVisitor.get(key);
  if (known !== undefined) return known;
  const languages = languagesOf(acceptLanguage);
  const audience: Audience = { device, languages, categories, tags, country };
  const groups = pool.groups.filter(
    ({ campaign }) => campaign === null || suitsCampaign(campaign, audience, nowMs),
  );
  const asksVisitor = groups.some(
    ({ campaign, hasOwnRules }) =>
      hasOwnRules ||
      (campaign !== null &&
        (campaign.visitorDailyCap !== null || campaign.targetReferrals.length > 0)),
  );
  const found = { audience, groups, asksVisitor };
  suited.byVisitor.set(key, found);
  return found;
}

export function slotInfo(placement: AdPlacement, ads: readonly DeliverableAd[]): AdSlotInfo {
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
    widthPx,
    heightPx,
    ...(inPage === 0 ? {} : { needsConsent: inPage === ads.length ? "all" : "some" }),
  };
}
