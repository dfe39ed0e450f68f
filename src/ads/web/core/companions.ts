import { createStore } from "#web/lib/store.ts";
import type { Companion } from "../vast/vast-ad.ts";

/** Companions of the current video ad. Each is shown in one slot of the page. */
export interface CompanionOffer {
  adId: string;
  companions: readonly Companion[];
}

export const companionOffer = createStore<{ offer: CompanionOffer | null }>({ offer: null });
const taken = new WeakSet<Companion>();

/** Offers companions to the page's slots. @returns a function to call when their ad has ended. */
export function offerCompanions(adId: string, companions: readonly Companion[]): () => void {
  if (companions.length === 0) return () => {};
  const offer = { adId, companions: companions.map((companion) => ({ ...companion })) };
  companionOffer.commit({ offer });
  return () => {
    if (companionOffer.get().offer === offer) companionOffer.commit({ offer: null });
  };
}

/**
 * Returns the largest companion that fits into a slot of this size and isn't in another slot, or
 * null.
 */
export function takeCompanion(
  { companions }: CompanionOffer,
  widthPx: number,
  heightPx: number,
): Companion | null {
  const [largest] = companions
    .filter((one) => !taken.has(one) && one.widthPx <= widthPx && one.heightPx <= heightPx)
    .toSorted((a, b) => b.widthPx * b.heightPx - a.widthPx * a.heightPx);
  if (largest === undefined) return null;
  taken.add(largest);
  return largest;
}
