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
  /** See `paceOf`. */
  urgency: number | null;
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
    const open: { group: AdGroup<T>; ads: readonly T[]; weight: number; left: number }[] = [];
    for (const group of groups) {
      if (group.priority !== priority || group.remaining <= 0) continue;
      if (group.separation !== null && taken.has(group.separation)) continue;
      if (group.share !== null && random() * 100 >= group.share) continue;
      open.push({ group, ads: group.ads, weight: weightOf(group), left: group.remaining });
    }
    while (open.length > 0 && chosen.length < limit) {
      const entry = open[pickByWeight(open, random)];
      const at = entry === undefined ? -1 : pickAd(entry.group.rotation, entry.ads, random);
      const ad = entry?.ads[at];
      if (entry === undefined || ad === undefined) break;
      chosen.push(ad);
      if (chosen.length >= limit) break;
      entry.ads = entry.ads.toSpliced(at, 1);
      entry.left -= 1;
      const { separation } = entry.group;
      if (separation !== null) taken.add(separation);
      const isOver = ({ group, ads, left }: typeof entry) =>
        ads.length === 0 || left <= 0 || (separation !== null && group.separation === separation);
      for (let index = open.length - 1; index >= 0; index -= 1) {
        const other = open[index];
        if (other !== undefined && isOver(other)) open.splice(index, 1);
      }
    }
  }
  return chosen;
}

/** Without anything to reach a campaign counts as much as its ads would alone. */
function weightOf<T extends Choosable>({ urgency, ads }: AdGroup<T>): number {
  return urgency ?? ads.reduce((sum, ad) => sum + ad.weight, 0);
}

/** @returns the index of one of the ads. */
function pickAd(rotation: AdRotation, ads: readonly Choosable[], random: () => number): number {
  if (rotation === "even" || ads.length === 1) return Math.floor(random() * ads.length);
  if (rotation === "weight") return pickByWeight(ads, random);
  const rates = ads.map((ad) => sampleClickRate(ad, random));
  return rates.indexOf(Math.max(...rates));
}
