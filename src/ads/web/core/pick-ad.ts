import { pickByWeight } from "../../contract/ad-weight.ts";
import type { PublicAd } from "../../contract/ads.ts";

/** One ad at random, in proportion to the weights of the response; null if there is none. */
export function pickAd(ads: readonly PublicAd[], random: () => number): PublicAd | null {
  return ads[pickByWeight(ads, random)] ?? null;
}

/** The picked ad first, then the others in random order: the next ones to try if it fails. */
export function orderByChance(ads: readonly PublicAd[], random: () => number): PublicAd[] {
  const rest = [...ads];
  const order: PublicAd[] = [];
  while (rest.length > 0) order.push(...rest.splice(pickByWeight(rest, random), 1));
  return order;
}
