import type { Clock } from "#server/lib/clock.ts";
import { looksLikeRobot } from "#server/http/access/user-agent.ts";
import type { AdReservations, ReservationRequest } from "../serves/ad-reservations.ts";
import { hasLimits, campaignLimits, campaignPace } from "../rules/campaign-rules.ts";
import { allowedBy, isCounted, type BreakRequest } from "../rules/delivery-rules.ts";
import type { AdDevice, AdOrigin, AdType } from "../../contract/ads.ts";
import type { AdRotation, CampaignPriority } from "../../contract/campaigns.ts";
import type { AdDirectory, DeliverableAd } from "./ad-directory.ts";

/** Parameters of a request, with the visitor's and the page's properties. */
export interface AdRequest extends BreakRequest {
  origin: AdOrigin;
  types: readonly AdType[] | null;
  limit: number;
  /** Only this ad, if set. */
  only?: string | undefined;
  /** Slugs of the categories and tags of the content around the ad. */
  categories: readonly string[];
  tags: readonly string[];
  /** Ads on the same page (`stoppedKey`). */
  beside: readonly string[];
  /** Null to derive it from the user agent. */
  device: AdDevice | null;
  country: string | null;
  userAgent: string | undefined;
  mobileHint: string | undefined;
  acceptLanguage: string | undefined;
  visitorId: string;
  /** Keyed hash of the visitor's address group. */
  addressGroup: string;
  /** Ads that the visitor has hidden (`stoppedKey`). */
  stopped: ReadonlySet<string>;
  /** True to allow trusted ads: on some pages, with the visitor's consent, never in a session. */
  allowsTrusted: boolean;
}

/**
 * @returns the index of an item, with probability `weight / sum of weights`; 0 if no item has a
 * weight, -1 without items.
 */
function pickByWeight(items: readonly { weight: number }[], random: () => number): number {
  let left = random() * items.reduce((sum, item) => sum + item.weight, 0);
  const index = items.findIndex((item) => (left -= item.weight) < 0);
  return index < 0 ? Math.min(0, items.length - 1) : index;
}

/**
 * Draws up to `limit` different items in proportion to their weights. The page shows the first one,
 * and the next if it fails.
 */
export function drawByWeight<T extends { weight: number }>(
  items: readonly T[],
  limit: number,
  random: () => number,
): T[] {
  const rest = [...items];
  const drawn: T[] = [];
  while (drawn.length < limit && rest.length > 0) {
    drawn.push(...rest.splice(pickByWeight(rest, random), 1));
  }
  return drawn;
}

/** Ad that may be chosen. */
interface Choosable {
  weight: number;
}

/** Suitable ads of one campaign. Ads without one form a group of priority `house`. */
export interface AdGroup<T> {
  /** `last`: house ads, shown if there is nothing else. */
  priority: CampaignPriority | "last";
  /** Percentage of its priority's requests; null for the remainder. */
  share: number | null;
  /** Number of impressions that its limits still allow. */
  remaining: number;
  /** Selection weight among groups of its priority (`groupWeight`). */
  weight: number;
  rotation: AdRotation;
  separation: string | null;
  ads: readonly T[];
}

const order = ["sponsorship", "standard", "house", "last"] as const;

/**
 * Draws the group that gets the request by its share. Scales shares down if they exceed 100% in
 * total.
 */
function drawShared<T>(shared: readonly AdGroup<T>[], random: () => number): AdGroup<T> | null {
  if (shared.length === 0) return null;
  const total = shared.reduce((sum, { share }) => sum + (share ?? 0), 0);
  let left = random() * Math.max(100, total);
  return shared.find(({ share }) => (left -= share ?? 0) < 0) ?? null;
}

/**
 * Chooses up to `limit` different ads, highest priority first. Within a priority, the first ad
 * comes from the campaign whose share includes the request. All others come from a draw that favors
 * campaigns behind their pace. The campaign's rotation selects the ad. No two ads share a
 * separation word or have one of `words`. House ads are used only if nothing else was chosen.
 */
export function chooseAds<T extends Choosable>(
  groups: readonly AdGroup<T>[],
  limit: number,
  words: ReadonlySet<string>,
  random: () => number,
): T[] {
  const chosen: T[] = [];
  const taken = new Set(words);
  /** Remaining ads of groups that already have a chosen ad. */
  const rest = new Map<AdGroup<T>, { ads: readonly T[]; count: number }>();
  const isOpen = (group: AdGroup<T>): boolean => {
    if (group.separation !== null && taken.has(group.separation)) return false;
    const { ads, count } = rest.get(group) ?? { ads: group.ads, count: group.remaining };
    return ads.length > 0 && count > 0;
  };
  for (const priority of order) {
    const isFallback = priority === "house" || priority === "last";
    if (chosen.length >= limit || (isFallback && chosen.length > 0)) break;
    const level = groups.filter((group) => group.priority === priority);
    const isShared = ({ share }: AdGroup<T>) => share !== null;
    let byShare = drawShared(
      level.filter((group) => isShared(group) && isOpen(group)),
      random,
    );
    while (chosen.length < limit) {
      const open = level.filter((group) => !isShared(group) && isOpen(group));
      const group = byShare ?? open[pickByWeight(open, random)];
      byShare = null;
      if (group === undefined) break;
      const { ads, count } = rest.get(group) ?? { ads: group.ads, count: group.remaining };
      const at = pickAd(group.rotation, ads, random);
      const ad = ads[at];
      if (ad === undefined) break;
      chosen.push(ad);
      rest.set(group, { ads: ads.toSpliced(at, 1), count: count - 1 });
      if (group.separation !== null) taken.add(group.separation);
    }
  }
  return chosen;
}

/**
 * Returns the weight of a group.
 * @param urgency see `campaignPace`. A campaign without a goal counts as much as its ads would alone.
 */
export const groupWeight = (urgency: number | null, ads: readonly { weight: number }[]): number =>
  urgency ?? ads.reduce((sum, ad) => sum + ad.weight, 0);

/** @returns the index of one of the ads. */
function pickAd(rotation: AdRotation, ads: readonly Choosable[], random: () => number): number {
  return rotation === "weight" ? pickByWeight(ads, random) : Math.floor(random() * ads.length);
}

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
