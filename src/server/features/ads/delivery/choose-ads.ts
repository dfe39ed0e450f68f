import { pickByWeight } from "../../../../contract/ad-weight.ts";
import type { AdRotation, CampaignPriority } from "../../../../contract/campaigns.ts";
import { sampleClickRate } from "./click-rate.ts";

/** An ad that may be chosen. */
interface Choosable {
  weight: number;
  /** Verified events so far. */
  impressions: number;
  clicks: number;
}

/** The ads of one campaign that suit a request. Ads alone are a group of priority `house`. */
export interface AdGroup<T> {
  /** `last`: house ads, shown where there is nothing else. */
  priority: CampaignPriority | "last";
  /** Percentage of the requests in which it takes part; null for all of them. */
  share: number | null;
  /** How many impressions its limits allow. */
  remaining: number;
  /** How often it is chosen beside others of its priority (`groupWeight`). */
  weight: number;
  rotation: AdRotation;
  separation: string | null;
  ads: readonly T[];
}

const order = ["sponsorship", "standard", "house", "last"] as const;

/**
 * Chooses up to `limit` different ads: by priority, then the campaign that is most behind its pace
 * most often, then one of its ads by its rotation. No two of them have the same word of separation, nor
 * one of `words`. Without a campaign of higher priority only one priority is part of the result.
 */
export function chooseAds<T extends Choosable>(
  groups: readonly AdGroup<T>[],
  limit: number,
  words: ReadonlySet<string>,
  random: () => number,
): T[] {
  const chosen: T[] = [];
  const taken = new Set(words);
  for (const priority of order) {
    const isFallback = priority === "house" || priority === "last";
    if (chosen.length >= limit || (isFallback && chosen.length > 0)) break;
    const open: AdGroup<T>[] = [];
    for (const group of groups) {
      if (group.priority !== priority || group.remaining <= 0) continue;
      if (group.separation !== null && taken.has(group.separation)) continue;
      if (group.share !== null && random() * 100 >= group.share) continue;
      open.push(group);
    }
    /** What is left of groups of which an ad is chosen already. */
    const rest = new Map<AdGroup<T>, { ads: readonly T[]; count: number }>();
    while (open.length > 0 && chosen.length < limit) {
      const group = open[pickByWeight(open, random)];
      if (group === undefined) break;
      const { ads, count } = rest.get(group) ?? { ads: group.ads, count: group.remaining };
      const at = pickAd(group.rotation, ads, random);
      const ad = ads[at];
      if (ad === undefined) break;
      chosen.push(ad);
      if (chosen.length >= limit) break;
      rest.set(group, { ads: ads.toSpliced(at, 1), count: count - 1 });
      const { separation } = group;
      if (separation !== null) taken.add(separation);
      const isOver = (other: AdGroup<T>) =>
        (separation !== null && other.separation === separation) ||
        (other === group && (ads.length === 1 || count <= 1));
      for (let index = open.length - 1; index >= 0; index -= 1) {
        const other = open[index];
        if (other !== undefined && isOver(other)) open.splice(index, 1);
      }
    }
  }
  return chosen;
}

/**
 * The weight of a group.
 * @param urgency see `paceOf`. Without anything to reach a campaign counts as much as its ads would alone.
 */
export const groupWeight = (urgency: number | null, ads: readonly { weight: number }[]): number =>
  urgency ?? ads.reduce((sum, ad) => sum + ad.weight, 0);

/** @returns the index of one of the ads. */
function pickAd(rotation: AdRotation, ads: readonly Choosable[], random: () => number): number {
  if (rotation === "even" || ads.length === 1) return Math.floor(random() * ads.length);
  if (rotation === "weight") return pickByWeight(ads, random);
  const rates = ads.map((ad) => sampleClickRate(ad, random));
  return rates.indexOf(Math.max(...rates));
}
