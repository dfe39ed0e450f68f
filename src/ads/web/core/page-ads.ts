import { stoppedKey } from "../../contract/stopped-ads.ts";

/** Ads on this page. Ads of competitors aren't shown beside them. */
const shown = new Map<object, string>();
let last: Promise<unknown> = Promise.resolve();

export const besideNow = (): string[] => [...shown.values()];

/**
 * Runs the slots' requests in sequence, so that each request contains the ads of the previous ones.
 */
export function askInTurn<T>(ask: (beside: string[]) => Promise<T>): Promise<T> {
  const asked = last.then(() => ask(besideNow()));
  last = asked.catch(() => {});
  return asked;
}

/** Records an ad that is shown at `place`. Call the result once it is no longer shown. */
export function noteOnPage(place: object, adId: string): () => void {
  shown.set(place, stoppedKey(adId));
  return () => void shown.delete(place);
}
