import type { Clock } from "#server/lib/clock.ts";
import { looksLikeRobot } from "#server/http/access/user-agent.ts";
import type { AdDirectory, DeliverableAd } from "./ad-directory.ts";
import type { AdRequest } from "./ad-request.ts";
import type { AdReservations, ReservationRequest } from "../serves/ad-reservations.ts";
import { hasLimits, campaignLimits, campaignPace } from "../rules/campaign-rules.ts";
import { chooseAds, groupWeight, type AdGroup } from "./choose-ads.ts";
import { allowedBy, isCounted } from "../rules/delivery-rules.ts";
import { drawByWeight } from "./draw-by-weight.ts";

/**
 * Maximum number of redraws when concurrent requests take the last impressions. After that only
 * unlimited ads are drawn.
 */
const maxDraws = 3;
/** Milliseconds for which a campaign is skipped after its limits allowed no impression. */
const fullMs = 1000;

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
  directory: AdDirectory;
  reservations: AdReservations;
  random: () => number;
}) {
  const { clock, directory, reservations, random } = deps;
  /** Campaigns whose limits just allowed no impression, and until when they are skipped. */
  const fullUntil = new Map<string, number>();

  /** Chooses ads with `chooseAds`, or by weight alone if none of them belongs to a campaign. */
  function draw(
    ads: readonly DeliverableAd[],
    request: AdRequest,
    words: ReadonlySet<string>,
  ): readonly DeliverableAd[] {
    const alone = ads.filter(({ campaign }) => campaign === null);
    if (alone.length < ads.length) {
      const limit = oneAdPlacements.has(request.placement) ? 1 : request.limit;
      const chosen = chooseAds(groupAds(ads), limit, words, random);
      if (chosen.some(({ campaign }) => campaign !== null)) return chosen;
    }
    // House ads only fill slots that nothing else can.
    const paying = alone.filter(({ isHouse }) => !isHouse);
    return drawByWeight(paying.length > 0 ? paying : alone, request.limit, random);
  }

  /** Groups ads by campaign. Those without one form a group, with house ads separate. */
  function groupAds(ads: readonly DeliverableAd[]): AdGroup<DeliverableAd>[] {
    const nowMs = clock.now();
    const groups = Map.groupBy(ads, ({ isHouse, campaign }) => `${isHouse} ${campaign?.id ?? ""}`);
    return [...groups.values()].map((members) => {
      const { isHouse = false, campaign = null } = members[0] ?? {};
      const isFull = campaign !== null && nowMs < (fullUntil.get(campaign.id) ?? 0);
      const pace =
        campaign === null || !hasLimits(campaign)
          ? { remaining: Infinity, urgency: null }
          : campaignPace(campaign, directory.campaignCounts(campaign.id), nowMs);
      return {
        priority: isHouse ? "last" : (campaign?.priority ?? "house"),
        share: campaign?.goal === "share" ? campaign.goalAmount : null,
        remaining: isFull ? 0 : pace.remaining,
        weight: groupWeight(pace.urgency, members),
        rotation: campaign?.rotation ?? "weight",
        separation: campaign?.separation ?? null,
        ads: members,
      };
    });
  }

  return async function drawReserved(
    request: AdRequest,
    allowed: readonly DeliverableAd[],
    words: ReadonlySet<string>,
    serve: string,
  ): Promise<readonly DeliverableAd[]> {
    const settled = new Set<string>();
    const { placement, visitorId } = request;
    // Bots' impressions don't count, so bots need no reservations.
    const isRobot = looksLikeRobot(request.userAgent);
    const needsGrant = (ad: DeliverableAd) => !isRobot && isLimited(ad) && !settled.has(ad.id);
    let ads = allowed;
    for (let draws = 1; ; draws += 1) {
      const drawn = draw(ads, request, words);
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
      for (const id of got) settled.add(id);
      const refused = new Set(open.filter((ad) => !settled.has(ad.id)));
      if (refused.size === 0) return drawn;
      ads = ads.filter((ad) => (draws < maxDraws ? !refused.has(ad) : !needsGrant(ad)));
    }
  };
}
