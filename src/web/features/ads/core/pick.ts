import type { PublicAd } from "../../../../contract/ads.ts";

/** One ad at random, in proportion to the weights of the answer; null where there is none. */
export function pickAd(ads: readonly PublicAd[], random: () => number): PublicAd | null {
  const total = ads.reduce((sum, ad) => sum + ad.weight, 0);
  let left = random() * total;
  for (const ad of ads) {
    left -= ad.weight;
    if (left < 0) return ad;
  }
  return ads.at(0) ?? null;
}

/** The pick first, the others behind it by chance: who comes next where the first one fails. */
export function orderByChance(ads: readonly PublicAd[], random: () => number): PublicAd[] {
  const rest = [...ads];
  const order: PublicAd[] = [];
  for (let next = pickAd(rest, random); next !== null; next = pickAd(rest, random)) {
    order.push(next);
    rest.splice(rest.indexOf(next), 1);
  }
  return order;
}
