import type { Clock } from "#server/lib/clock.ts";
import { looksLikeRobot } from "#server/http/access/user-agent.ts";
import type { AdDirectory, DeliverableAd } from "./ad-directory.ts";
import { isUniform, withAds, type PoolGroup } from "./ad-pools.ts";
import type { AdRequest } from "./ad-request.ts";
import type { AdReservations, ReservationRequest } from "../serves/ad-reservations.ts";
import { hasLimits, campaignLimits, campaignPace } from "../rules/campaign-rules.ts";
import { choiceOf, chooseAds, groupWeight, type AdGroup } from "./choose-ads.ts";
import { allowedBy, isCounted } from "../rules/delivery-rules.ts";
import { drawAds } from "./draw-ads.ts";

/**
 * Maximum number of redraws when concurrent requests take the last impressions. After that only
 * unlimited ads are drawn.
 */
const maxDraws = 3;
/** Milliseconds for which the pace of campaigns is cached. */
const paceMs = 100;
/** Milliseconds for which a campaign is skipped after its limits allowed no impression. */
const fullMs = 1000;

interface Prepared {
  sinceMs: number;
  /** Number of refused campaigns when this was prepared. */
  refusals: number;
  /** True if none of the groups has a campaign. */
  isAlone: boolean;
  choice: ReturnType<typeof choiceOf<DeliverableAd>>;
}

/** Slots that show one ad and never need a second. */
const oneAdPlacements: ReadonlySet<string | null> = new Set(["header", "sidebar", "footer"]);

const isLimited = (ad: DeliverableAd) =>
  isCounted(ad) || (ad.campaign !== null && hasLimits(ad.campaign));

function toReserve(ad: DeliverableAd, nowMs: number): ReservationRequest["ads"][number] {
  const { campaign } = ad;
  return {
    id: ad.id,
    allowed: allowedBy(ad, nowMs),
    visitorDailyCap: ad.visitorDailyCap,
    campaign:
      campaign !== null && hasLimits(campaign)
        ? {
            id: campaign.id,
            limits: campaignLimits(campaign, nowMs),
            visitorDailyCap: campaign.visitorDailyCap,
            endsWhenViewable: campaign.goal === "viewable",
          }
        : null,
  };
}

/** Creates the function that draws ads for a request and reserves the limited ones. */
export function createDraw(deps: {
  clock: Clock;
  directory: Pick<AdDirectory, "campaignCounts">;
  reservations: Pick<AdReservations, "reserve">;
  random: () => number;
}) {
  const { clock, directory, reservations, random } = deps;
  /** Campaigns whose limits just allowed no impression, and until when they are skipped. */
  const fullUntil = new Map<string, number>();
  let refusals = 0;

  const prepared = new WeakMap<readonly PoolGroup[], Prepared>();

  /**
   * Caches the groups with their pace briefly. There may be hundreds of groups per request, and the
   * counts behind a pace may be a second old anyway.
   */
  function prepare(groups: readonly PoolGroup[]): Prepared {
    const nowMs = clock.now();
    const known = prepared.get(groups);
    const isKept =
      known !== undefined &&
      Math.abs(nowMs - known.sinceMs) < paceMs &&
      known.refusals === refusals;
    if (isKept) return known;
    const made = {
      sinceMs: nowMs,
      refusals,
      isAlone: groups.every(({ campaign }) => campaign === null),
      choice: choiceOf(groups.map((group) => toAdGroup(group, nowMs))),
    };
    prepared.set(groups, made);
    return made;
  }

  /** Chooses ads with `chooseAds`, or by weight alone if none of them belongs to a campaign. */
  function draw(
    groups: readonly PoolGroup[],
    request: AdRequest,
    words: ReadonlySet<string>,
  ): readonly DeliverableAd[] {
    const { isAlone, choice } = prepare(groups);
    if (isAlone) return drawAlone(groups, request.limit);
    const limit = oneAdPlacements.has(request.placement) ? 1 : request.limit;
    const chosen = chooseAds(choice, limit, words, random);
    return chosen.every(({ campaign }) => campaign === null)
      ? drawAlone(groups, request.limit)
      : chosen;
  }

  /** House ads are shown only if there is no other ad. */
  function drawAlone(groups: readonly PoolGroup[], limit: number): readonly DeliverableAd[] {
    const alone = groups.filter(({ campaign }) => campaign === null);
    const paying = alone.filter(({ isHouse }) => !isHouse);
    const pool = (paying.length > 0 ? paying : alone).flatMap(({ ads }) => ads);
    return drawAds(pool, limit, isUniform(pool), random);
  }

  function toAdGroup({ campaign, isHouse, ads }: PoolGroup, nowMs: number): AdGroup<DeliverableAd> {
    const isFull = campaign !== null && nowMs < (fullUntil.get(campaign.id) ?? 0);
    const pace =
      campaign === null || !hasLimits(campaign)
        ? { remaining: Infinity, urgency: null }
        : campaignPace(campaign, directory.campaignCounts(campaign.id), nowMs);
    return {
      priority: isHouse ? "last" : (campaign?.priority ?? "house"),
      share: campaign?.goal === "share" ? campaign.goalAmount : null,
      remaining: isFull ? 0 : pace.remaining,
      weight: groupWeight(pace.urgency, ads),
      rotation: campaign?.rotation ?? "weight",
      separation: campaign?.separation ?? null,
      ads,
    };
  }

  return async function drawReserved(
    request: AdRequest,
    allowed: readonly PoolGroup[],
    words: ReadonlySet<string>,
    serve: string,
  ): Promise<readonly DeliverableAd[]> {
    const settled = new Set<string>();
    const { placement, visitorId } = request;
    // Bots' impressions don't count, so bots need no reservations.
    const isRobot = looksLikeRobot(request.userAgent);
    const needsGrant = (ad: DeliverableAd) => !isRobot && isLimited(ad) && !settled.has(ad.id);
    let groups = allowed;
    for (let draws = 1; ; draws += 1) {
      const drawn = draw(groups, request, words);
      const open = drawn.filter(needsGrant);
      if (open.length === 0) return drawn;
      const nowMs = clock.now();
      const { ads: got, full } = await reservations.reserve({
        serve,
        visitorId,
        addressGroup: request.addressGroup,
        // A page, including the feed, shows one ad of each list. Other clients may show all.
        isSingle: placement !== null,
        ads: open.map((ad) => toReserve(ad, nowMs)),
      });
      for (const id of full) fullUntil.set(id, nowMs + fullMs);
      refusals += full.length;
      for (const id of got) settled.add(id);
      const refused = new Set(open.filter((ad) => !settled.has(ad.id)));
      if (refused.size === 0) return drawn;
      groups = withAds(groups, (ad) => (draws < maxDraws ? !refused.has(ad) : !needsGrant(ad)));
    }
  };
}
