import type { AdErrorCause, AdEvent, AdPlacement } from "../../contract/ads.ts";
import { ApiError, callForEffect } from "#web/lib/api/http.ts";
import { carriedHeaders, isEmbedPage } from "#web/lib/embed-visitor.ts";

/** Display of an ad, with the data for counting each event once. */
export interface Impression {
  adId: string;
  /** Token of the response that contained the ad. */
  serve: string;
  placement: AdPlacement;
}

/**
 * Milliseconds between an impression and `viewable`. The server requires one second. This is
 * slightly longer, because clocks differ.
 */
const viewableAfterMs = 1100;
/**
 * Reports of one impression. They are sent in sequence, because an event only counts after the
 * events that must precede it.
 */
interface Reports {
  /** Resolves once the latest report is sent. */
  latest: Promise<void>;
  /** Time of `performance.now()` at which the server had counted the impression. */
  countedAtMs: number;
}
const reports = new Map<string, Reports>();
const maxRemembered = 50;

function reportsOf({ serve, adId }: Impression): Reports {
  const key = `${serve} ${adId}`;
  const existing = reports.get(key);
  if (existing !== undefined) return existing;
  const added = { latest: Promise.resolve(), countedAtMs: 0 };
  reports.set(key, added);
  const [oldest] = reports.keys();
  if (reports.size > maxRemembered && oldest !== undefined) reports.delete(oldest);
  return added;
}

/**
 * Reports an event, even while the page is being left. Failures are only logged.
 * @param impression null if it isn't counted.
 */
export function reportAdEvent(
  impression: Impression | null,
  event: "impression" | "click" | AdEvent,
  cause?: AdErrorCause,
): void {
  if (impression === null) return;
  const own = reportsOf(impression);
  const send = () => sendReport(impression, event, cause);
  if (event === "viewable") {
    // Later reports don't wait for this one.
    void own.latest.then(() => {
      const waitMs = own.countedAtMs + viewableAfterMs - performance.now();
      if (waitMs > 0) setTimeout(() => void send(), waitMs);
      else void send();
    });
    return;
  }
  own.latest = own.latest.then(send).then(() => {
    if (event === "impression") own.countedAtMs = performance.now();
  });
}

/** Sends a report. Resolves when the server has responded or the request has failed. */
async function sendReport(
  { adId, serve, placement }: Impression,
  event: "impression" | "click" | AdEvent,
  cause?: AdErrorCause,
): Promise<void> {
  const isSpecifiedEvent = event === "impression" || event === "click";
  const path = `/api/spots/${encodeURIComponent(adId)}/${isSpecifiedEvent ? event : "event"}`;
  const origin = isEmbedPage() ? { origin: "embed" } : {};
  const send = (body: object) =>
    callForEffect(path, {
      method: "POST",
      body: { ...body, ...origin },
      headers: carriedHeaders(),
      keepalive: true,
    });
  try {
    await send({ serve, placement, ...(isSpecifiedEvent ? {} : { event, cause }) }).catch(
      (error: unknown) => {
        // The token has expired or the browser stores no cookies, so the event counts as
        // unverified.
        if (isSpecifiedEvent && error instanceof ApiError && error.code === "invalid")
          return send({});
        throw error;
      },
    );
  } catch (error) {
    console.warn("an ad's event was not counted", error);
  }
}
