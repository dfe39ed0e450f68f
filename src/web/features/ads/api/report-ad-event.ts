import type { AdEvent, AdPlacement } from "../../../../contract/ads.ts";
import { callForEffect } from "../../../lib/api/http.ts";

/** One impression of an ad, as the server needs it to count each event once. */
export interface Impression {
  adId: string;
  /** Identifies the response that contained the ad. */
  serve: string;
  placement: AdPlacement;
  /** Number of this impression of the ad within the response; the feed repeats its few ads. */
  index?: number;
}

/** Reports an event, also while the page is being left. A failure is only logged. */
export function reportAdEvent(
  impression: Impression,
  event: "impression" | "click" | AdEvent,
): void {
  const { adId, serve, placement, index } = impression;
  const hasOwnPath = event === "impression" || event === "click";
  const path = `/api/spots/${encodeURIComponent(adId)}/${hasOwnPath ? event : "event"}`;
  const body = { serve, placement, turn: index, ...(hasOwnPath ? {} : { event }) };
  callForEffect(path, { method: "POST", body, keepalive: true }).catch((error: unknown) => {
    console.warn("an ad's event was not counted", error);
  });
}
