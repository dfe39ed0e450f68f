import { Agent, request } from "node:http";

export interface ImpressionRun {
  /** Requests with the response 202. */
  acknowledged: number;
  /** Requests with another response. */
  refused: number;
  /** Requests without a response: they may be counted or not. */
  broken: number;
  seconds: number;
}

/**
 * Visitors with one connection each report impressions one after another until the time is up or the
 * server is gone.
 */
export async function recordImpressions(
  url: string,
  adIds: readonly string[],
  options: { visitors: number; seconds: number; onHalf?: () => void },
): Promise<ImpressionRun> {
  const { visitors, seconds, onHalf } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: visitors });
  const run: ImpressionRun = { acknowledged: 0, refused: 0, broken: 0, seconds: 0 };
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  if (onHalf !== undefined) setTimeout(onHalf, (seconds * 1000) / 2);

  const post = (adId: string) =>
    new Promise<number>((done) => {
      const call = request(
        `${url}/api/spots/${adId}/impression`,
        { method: "POST", agent },
        (response) => {
          response.resume();
          response.on("end", () => done(response.statusCode ?? 0));
          response.on("error", () => done(0));
        },
      );
      call.on("error", () => done(0));
      call.end();
    });

  await Promise.all(
    Array.from({ length: visitors }, async (_, visitor) => {
      let brokenInARow = 0;
      for (let at = visitor; performance.now() < endsAt && brokenInARow < 3; at += 1) {
        const status = await post(adIds[at % adIds.length] ?? "");
        brokenInARow = status === 0 ? brokenInARow + 1 : 0;
        if (status === 202) run.acknowledged += 1;
        else if (status === 0) run.broken += 1;
        else run.refused += 1;
      }
    }),
  );
  agent.destroy();
  run.seconds = (performance.now() - startedAt) / 1000;
  return run;
}
