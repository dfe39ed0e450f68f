import { pickByWeight } from "./draw-by-weight.ts";
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
