import { pickByWeight } from "./pick-by-weight.ts";
import type { AdRotation, CampaignPriority } from "../../contract/campaigns.ts";

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

/** Groups of one priority, prepared for many choices, because there may be hundreds. */
interface ChoiceLevel<T> {
  /** True if only shown without an ad of a higher priority. */
  isFallback: boolean;
  /** Groups without a share. */
  groups: readonly AdGroup<T>[];
  /** Cumulative weights of the groups. */
  sums: Float64Array;
  shared: readonly AdGroup<T>[];
}

function levelOf<T>(all: readonly AdGroup<T>[], isFallback: boolean): ChoiceLevel<T> {
  let sum = 0;
  const groups = all.filter(({ share }) => share === null);
  const sums = Float64Array.from(groups, ({ weight }) => (sum += weight));
  return { isFallback, groups, sums, shared: all.filter(({ share }) => share !== null) };
}

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

/** Orders groups by priority, for `chooseAds`. */
export function choiceOf<T>(groups: readonly AdGroup<T>[]): readonly ChoiceLevel<T>[] {
  return order.flatMap((priority) => {
    const open = groups.filter((group) => group.priority === priority && group.remaining > 0);
    return open.length === 0 ? [] : [levelOf(open, priority === "house" || priority === "last")];
  });
}

/** Returns the first group whose sum exceeds the value, or the first group if none has a weight. */
function findBySum(sums: Float64Array, value: number): number {
  let low = 0;
  let high = sums.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sums[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return (sums[low] ?? 0) > value ? low : 0;
}

/**
 * Maximum number of draws before the open groups are listed. Drawing is faster unless few groups
 * are open.
 */
const maxDraws = 8;

/** Draws an open group by weight; null if there is none. */
function drawGroup<T>(
  { groups, sums }: ChoiceLevel<T>,
  isOpen: (group: AdGroup<T>) => boolean,
  random: () => number,
): AdGroup<T> | null {
  const total = sums.at(-1) ?? 0;
  for (let draws = 0; draws < maxDraws; draws += 1) {
    const group = groups[findBySum(sums, random() * total)];
    if (group !== undefined && isOpen(group)) return group;
  }
  const open = groups.filter(isOpen);
  return open[pickByWeight(open, random)] ?? null;
}

/**
 * Chooses up to `limit` different ads, highest priority first. Within a priority, the first ad
 * comes from the campaign whose share includes the request. All others come from a draw that favors
 * campaigns behind their pace. The campaign's rotation selects the ad. No two ads share a
 * separation word or have one of `words`. Fallback levels are used only if nothing else was chosen.
 */
export function chooseAds<T extends Choosable>(
  levels: readonly ChoiceLevel<T>[],
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
  for (const level of levels) {
    if (chosen.length >= limit || (level.isFallback && chosen.length > 0)) break;
    let byShare = drawShared(level.shared.filter(isOpen), random);
    while (chosen.length < limit) {
      const group = byShare ?? drawGroup(level, isOpen, random);
      byShare = null;
      if (group === null) break;
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
