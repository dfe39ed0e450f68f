import type { AdErrorCause, AdEvent, AdPlacement } from "../../contract/ads.ts";
import { ApiError, callForEffect } from "#web/lib/api/http.ts";

/** One display of an ad, as the server needs it to count each event once. */
export interface Impression {
  adId: string;
  /** The token of the response that contained the ad. */
  serve: string;
  placement: AdPlacement;
}

/**
 * Reports an event, also while the page is being left. A failure is only logged.
 * @param impression null for what is not counted.
 */
export function reportAdEvent(
  impression: Impression | null,
  event: "impression" | "click" | AdEvent,
  cause?: AdErrorCause,
): void {
  if (impression === null) return;
  const { adId, serve, placement } = impression;
  const isSpecified = event === "impression" || event === "click";
  const path = `/api/spots/${encodeURIComponent(adId)}/${isSpecified ? event : "event"}`;
  const send = (body: object) => callForEffect(path, { method: "POST", body, keepalive: true });
  send({ serve, placement, ...(isSpecified ? {} : { event, cause }) })
    .catch((error: unknown) => {
      // The token is too old, or the browser keeps no cookies: the event counts as unverified.
      if (isSpecified && error instanceof ApiError && error.code === "invalid") return send({});
      throw error;
    })
    .catch((error: unknown) => {
      console.warn("an ad's event was not counted", error);
    });
}
