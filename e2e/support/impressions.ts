import { Agent } from "node:http";
import { publicAdList } from "#ads/contract/ads.ts";
import { browserAgent, callOver } from "#test/harness/http-call.ts";

export interface ImpressionRun {
  /** Impressions that the server reported as counted. */
  acknowledged: number;
  /** Impressions with any other response. */
  refused: number;
  /** Impressions without a response. They may or may not be counted. */
  broken: number;
  /** Number of visitors who lost the connection before the time was up. */
  cutOff: number;
  seconds: number;
}

/**
 * Simulates visitors with one connection and one cookie each. Each repeatedly requests ads and
 * reports an impression of one of them until the time is up. `onHalf` stops the server halfway.
 * Visitors then continue until the server is gone.
 */
export async function recordImpressions(
  url: string,
  options: { visitors: number; seconds: number; onHalf?: () => void },
): Promise<ImpressionRun> {
  const { visitors, seconds, onHalf } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: visitors });
  const run: ImpressionRun = { acknowledged: 0, refused: 0, broken: 0, cutOff: 0, seconds: 0 };
  const startedAt = performance.now();
  // Visitors wait up to a minute for the server to stop, because a busy machine takes longer.
  const endsAt = startedAt + seconds * 1000 + (onHalf === undefined ? 0 : 60_000);
  if (onHalf !== undefined) setTimeout(onHalf, (seconds * 1000) / 2);

  /** Each visitor has a separate network, if the site trusts this proxy. */
  const callFrom =
    (visitor: number) => (method: "GET" | "POST", path: string, cookie: string, body?: object) =>
      callOver(agent, url + path, {
        method,
        headers: {
          "user-agent": browserAgent,
          "x-forwarded-for": `10.${visitor >> 8}.${visitor & 255}.1`,
          ...(cookie === "" ? {} : { cookie }),
        },
        body,
      });

  await Promise.all(
    Array.from({ length: visitors }, async (_, visitor) => {
      const call = callFrom(visitor);
      let cookie = "";
      let brokenInARow = 0;
      while (performance.now() < endsAt && brokenInARow < 3) {
        const list = await call("GET", "/api/spots/public?limit=1", cookie);
        cookie = list.cookie ?? cookie;
        if (list.status !== 200) {
          brokenInARow += 1;
          continue;
        }
        const { ads, serve } = publicAdList.parse(JSON.parse(list.text));
        const path = `/api/spots/${ads[0]?.id ?? ""}/impression`;
        const { status, text } = await call("POST", path, cookie, { serve });
        brokenInARow = status === 0 ? brokenInARow + 1 : 0;
        if (status === 202 && text.includes("true")) run.acknowledged += 1;
        else if (status === 0) run.broken += 1;
        else run.refused += 1;
      }
      if (brokenInARow >= 3) run.cutOff += 1;
    }),
  );
  agent.destroy();
  run.seconds = (performance.now() - startedAt) / 1000;
  return run;
}
