import type { Clock } from "#server/lib/clock.ts";
import { looksLikeRobot } from "#server/http/access/user-agent.ts";
import type { AdDirectory, DeliverableAd } from "./ad-directory.ts";
import { isUniform, withAds, type PoolGroup } from "./ad-pools.ts";
import type { AdRequest } from "./ad-request.ts";
import type { AdReservations } from "../serves/ad-reservations.ts";
import { hasLimits, limitsOf, paceOf } from "../rules/campaign-rules.ts";
import { choiceOf, chooseAds, groupWeight, type AdGroup } from "./choose-ads.ts";
import { allowedBy, isCounted } from "../rules/delivery-rules.ts";
import { drawAds, type Drawn } from "./draw-ads.ts";

/** How often a response is drawn again because others were faster; then unlimited ads remain. */
const maxDraws = 3;
/** How long the pace of campaigns is kept. */
const paceMs = 100;

interface Prepared {
  sinceMs: number;
  /** How often a campaign had been refused. */
  refusals: number;
  /** Whether there is no campaign among them. */
  isAlone: boolean;
  choice: ReturnType<typeof choiceOf<DeliverableAd>>;
}

/** Slots whose page shows one ad and has no use for another. */
const oneAdPlacements: ReadonlySet<string | null> = new Set(["header", "sidebar", "footer"]);

const isLimited = (ad: DeliverableAd) =>
  isCounted(ad) || (ad.campaign !== null && hasLimits(ad.campaign));

/** Draws the ads of a request among those that suit it, and reserves the limited ones. */
export function createDraw(deps: {
  clock: Clock;
  directory: Pick<AdDirectory, "campaignCounts">;
  reservations: Pick<AdReservations, "reserve" | "renew" | "credit">;
  random: () => number;
}) {
  const { clock, directory, reservations, random } = deps;
  const { credit } = reservations;

  const prepared = new WeakMap<readonly PoolGroup[], Prepared>();

  /**
   * The groups with their pace, kept for a moment: there may be hundreds in each request, and the
   * counts behind a pace are a second old as well.
   */
  function prepare(groups: readonly PoolGroup[]): Prepared {
    const nowMs = clock.now();
    const known = prepared.get(groups);
    const isKept =
      known !== undefined &&
      Math.abs(nowMs - known.sinceMs) < paceMs &&
      known.refusals === credit.refusals();
    if (isKept) return known;
    const made = {
      sinceMs: nowMs,
      refusals: credit.refusals(),
      isAlone: groups.every(({ campaign }) => campaign === null),
      choice: choiceOf(groups.map((group) => toAdGroup(group, nowMs))),
    };
    prepared.set(groups, made);
    return made;
  }

  /** As drawn by weight without campaigns; by `chooseAds` with them. */
  function draw(
    groups: readonly PoolGroup[],
    request: AdRequest,
    words: ReadonlySet<string>,
  ): Drawn<DeliverableAd>[] {
    const { isAlone, choice } = prepare(groups);
    if (isAlone) return drawAlone(groups, request.limit);
    const limit = oneAdPlacements.has(request.placement) ? 1 : request.limit;
    const chosen = chooseAds(choice, limit, words, random);
    if (chosen.every(({ campaign }) => campaign === null)) return drawAlone(groups, request.limit);
    // The page shows the first one, the feed all of them in this order.
    return chosen.map((item, at) => ({ item, weight: at === 0 ? 1 : 0 }));
  }

  /** House ads are shown only if there is no other ad. */
  function drawAlone(groups: readonly PoolGroup[], limit: number): Drawn<DeliverableAd>[] {
    const alone = groups.filter(({ campaign }) => campaign === null);
    const paying = alone.filter(({ isHouse }) => !isHouse);
    const pool = (paying.length > 0 ? paying : alone).flatMap(({ ads }) => ads);
    return drawAds(pool, limit, isUniform(pool), random);
  }

  function toAdGroup({ campaign, isHouse, ads }: PoolGroup, nowMs: number): AdGroup<DeliverableAd> {
    const isFull = campaign !== null && credit.isRefused(campaign.id);
    const pace =
      campaign === null || !hasLimits(campaign)
        ? { remaining: Infinity, urgency: null }
        : paceOf(campaign, directory.campaignCounts(campaign.id), nowMs);
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

  /** Takes an impression of a lease where there is one. @returns what must be reserved besides, or null. */
  function takeLease(ad: DeliverableAd, nowMs: number) {
    const { campaign } = ad;
    const isCredited = campaign !== null && hasLimits(campaign) && credit.take(campaign.id);
    if (isCredited && credit.isDue(campaign.id)) {
      reservations.renew({ id: campaign.id, limits: limitsOf(campaign, nowMs) });
    }
    const needsCampaign = campaign !== null && hasLimits(campaign) && !isCredited;
    if (!needsCampaign && !isCounted(ad)) return null;
    return {
      id: ad.id,
      allowed: allowedBy(ad, nowMs),
      visitorDailyCap: ad.visitorDailyCap,
      campaign: needsCampaign
        ? {
            id: campaign.id,
            limits: limitsOf(campaign, nowMs),
            isUntilViewable: campaign.goal === "viewable",
          }
        : null,
    };
  }

  return async function drawReserved(
    request: AdRequest,
    allowed: readonly PoolGroup[],
    words: ReadonlySet<string>,
    serve: string,
  ): Promise<Drawn<DeliverableAd>[]> {
    const settled = new Set<string>();
    const { placement, visitorId } = request;
    // The impressions of robots do not count, whatever they are sent.
    const isRobot = looksLikeRobot(request.userAgent);
    const needsGrant = (ad: DeliverableAd) => !isRobot && isLimited(ad) && !settled.has(ad.id);
    let groups = allowed;
    for (let draws = 1; ; draws += 1) {
      const drawn = draw(groups, request, words);
      const open = drawn.map(({ item }) => item).filter(needsGrant);
      const nowMs = clock.now();
      const wishes = open.map((ad) => ({ ad, wish: takeLease(ad, nowMs) }));
      const wanted = wishes.flatMap(({ wish }) => wish ?? []);
      for (const { ad, wish } of wishes) if (wish === null) settled.add(ad.id);
      if (wanted.length === 0) return drawn;
      const got = await reservations.reserve({
        serve,
        visitorId,
        // The feed shows one ad after another, other places one of what they get.
        isSingle: placement !== null && placement !== "feed",
        ads: wanted,
      });
      for (const id of got) settled.add(id);
      const refused = new Set(open.filter((ad) => !settled.has(ad.id)));
      if (refused.size === 0) return drawn;
      groups = withAds(groups, (ad) => (draws < maxDraws ? !refused.has(ad) : !needsGrant(ad)));
    }
  };
}
