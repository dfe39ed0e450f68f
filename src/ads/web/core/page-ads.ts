import { trustedAdPageOf } from "#contract/site/page-zones.ts";
import { plainPath } from "#web/lib/language/page-language.ts";
import { stoppedKey } from "../../contract/stopped-ads.ts";

/**
 * Returns the pattern of the current page for ad requests, such as `/video/:slug`, or null if it
 * doesn't allow trusted ads. A pattern reveals neither a secret nor what the visitor watches.
 */
export const currentAdPage = (): string | null =>
  trustedAdPageOf(plainPath(window.location.pathname) ?? "");

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
