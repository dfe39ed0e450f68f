import type { AdEvent, AdPlacement } from "../../../../contract/ads.ts";
import { callForEffect } from "../../../lib/http.ts";

/** One display of one ad: what the server needs to count it once and in the right place. */
export interface Display {
  adId: string;
  serve: string;
  placement: AdPlacement;
  /** Which time this ad of this answer is shown; the feed shows its few in turns. */
  turn?: number;
}

export type SpotEvent = "impression" | "click" | AdEvent;

/** Tells the server, also while the page is being left. A failure is only logged. */
export function reportSpot(display: Display, event: SpotEvent): void {
  const { adId, serve, placement, turn } = display;
  const isCall = event === "impression" || event === "click";
  const path = `/api/spots/${encodeURIComponent(adId)}/${isCall ? event : "event"}`;
  const body = { serve, placement, turn, ...(isCall ? {} : { event }) };
  callForEffect(path, { method: "POST", body, keepalive: true }).catch((error: unknown) => {
    console.warn("an ad's event was not counted", error);
  });
}
