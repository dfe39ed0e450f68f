import { stoppedKey } from "../../contract/stopped-ads.ts";

/** The ads on this page: those of competitors are not shown beside them. */
const shown = new Map<object, string>();
let last: Promise<unknown> = Promise.resolve();

export const besideNow = (): string[] => [...shown.values()];

/** Slots ask one after another, so that each knows what the one before shows. */
export function askInTurn<T>(ask: (beside: string[]) => Promise<T>): Promise<T> {
  const asked = last.then(() => ask(besideNow()));
  last = asked.catch(() => {});
  return asked;
}

/** @param place of which an ad is shown. Call the result when it is shown no more. */
export function noteOnPage(place: object, adId: string): () => void {
  shown.set(place, stoppedKey(adId));
  return () => void shown.delete(place);
}
