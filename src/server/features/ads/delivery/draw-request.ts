import type { Clock } from "../../../lib/clock.ts";
import { looksLikeRobot } from "../../../http/access/user-agent.ts";
import type { AdDirectory, DeliverableAd } from "./ad-directory.ts";
import { isUniform } from "./ad-pools.ts";
import type { AdRequest } from "./ad-request.ts";
import type { AdReservations } from "./ad-reservations.ts";
import { hasLimits, limitsOf, paceOf } from "./campaign-rules.ts";
import { chooseAds, type AdGroup } from "./choose-ads.ts";
import { allowedBy, isCounted } from "./delivery-rules.ts";
import { drawAds, type Drawn } from "./draw-ads.ts";

/** How often a response is drawn again because others were faster; then unlimited ads remain. */
const maxDraws = 3;
/** Slots whose page shows one ad and has no use for another. */
const oneAdPlacements: ReadonlySet<string | null> = new Set(["header", "sidebar", "footer"]);

const isLimited = (ad: DeliverableAd) =>
  isCounted(ad) || (ad.campaign !== null && hasLimits(ad.campaign));

/** Draws the ads of a request among those that suit it, and reserves the limited ones. */
export function createDraw(deps: {
  clock: Clock;
  directory: Pick<AdDirectory, "campaignCounts">;
  reservations: Pick<AdReservations, "reserve" | "credit">;
  random: () => number;
}) {
  const { clock, directory, reservations, random } = deps;
  const { credit } = reservations;

  /** As drawn by weight without campaigns; by `chooseAds` with them. */
  function draw(
    ads: readonly DeliverableAd[],
    request: AdRequest,
    words: ReadonlySet<string>,
  ): Drawn<DeliverableAd>[] {
    if (ads.every(({ campaign }) => campaign === null)) return drawAlone(ads, request.limit);
    const limit = oneAdPlacements.has(request.placement) ? 1 : request.limit;
    const chosen = chooseAds(groupsOf(ads), limit, words, random);
    if (chosen.every(({ campaign }) => campaign === null)) return drawAlone(ads, request.limit);
    // The page shows the first one, the feed all of them in this order.
    return chosen.map((item, at) => ({ item, weight: at === 0 ? 1 : 0 }));
  }

  function drawAlone(ads: readonly DeliverableAd[], limit: number): Drawn<DeliverableAd>[] {
    const pool = withoutHouseAds(ads.filter(({ campaign }) => campaign === null));
    return drawAds(pool, limit, isUniform(pool), random);
  }

  function groupsOf(ads: readonly DeliverableAd[]): AdGroup<DeliverableAd>[] {
    const groups = Map.groupBy(ads, (ad) => ad.groupKey);
    return [...groups.values()].map((members) => {
      const { isHouse = false, campaign = null } = members[0] ?? {};
      const isFull = campaign !== null && credit.isRefused(campaign.id);
      const pace =
        campaign === null || !hasLimits(campaign)
          ? { remaining: Infinity, urgency: null }
          : paceOf(campaign, directory.campaignCounts(campaign.id), clock.now());
      return {
        priority: isHouse ? "last" : (campaign?.priority ?? "house"),
        share: campaign?.goal === "share" ? campaign.goalAmount : null,
        remaining: isFull ? 0 : pace.remaining,
        urgency: pace.urgency,
        rotation: campaign?.rotation ?? "weight",
        separation: campaign?.separation ?? null,
        ads: members,
      };
    });
  }

  /** What is needed to show the ad; null where it needs nothing more. */
  function wishOf(ad: DeliverableAd, nowMs: number) {
    const { campaign } = ad;
    const needsCampaign = campaign !== null && hasLimits(campaign) && !credit.take(campaign.id);
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
    allowed: readonly DeliverableAd[],
    words: ReadonlySet<string>,
    serve: string,
  ): Promise<Drawn<DeliverableAd>[]> {
    const settled = new Set<string>();
    const { placement, visitorId } = request;
    // The impressions of robots do not count, whatever they are sent.
    const needsGrant = (ad: DeliverableAd) =>
      isLimited(ad) && !settled.has(ad.id) && !looksLikeRobot(request.userAgent);
    let ads = allowed;
    for (let draws = 1; ; draws += 1) {
      const drawn = draw(ads, request, words);
      const open = drawn.map(({ item }) => item).filter(needsGrant);
      const nowMs = clock.now();
      const wishes = open.map((ad) => ({ ad, wish: wishOf(ad, nowMs) }));
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
      ads = ads.filter((ad) => (draws < maxDraws ? !refused.has(ad) : !needsGrant(ad)));
    }
  };
}

/** House ads are shown only if there is no other ad. */
function withoutHouseAds(ads: readonly DeliverableAd[]): DeliverableAd[] {
  const paying = ads.filter((ad) => !ad.isHouse);
  return paying.length > 0 ? paying : [...ads];
}
