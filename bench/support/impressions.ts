import { Agent, request } from "node:http";
import { publicAdList } from "../../src/contract/ads.ts";

export interface ImpressionRun {
  /** Impressions that the server says it has counted. */
  acknowledged: number;
  /** Impressions with another response. */
  refused: number;
  /** Impressions without a response: they may be counted or not. */
  broken: number;
  /** Visitors who lost the server before the time was up. */
  cutOff: number;
  seconds: number;
}

interface Response {
  /** 0 for none. */
  status: number;
  text: string;
  cookie: string | undefined;
}

const userAgent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36";

/**
 * Visitors with one connection and cookie each request ads and report an impression of one of them,
 * again and again, until the time is up or the server is gone.
 */
export async function recordImpressions(
  url: string,
  options: { visitors: number; seconds: number; onHalf?: () => void },
): Promise<ImpressionRun> {
  const { visitors, seconds, onHalf } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: visitors });
  const run: ImpressionRun = { acknowledged: 0, refused: 0, broken: 0, cutOff: 0, seconds: 0 };
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  if (onHalf !== undefined) setTimeout(onHalf, (seconds * 1000) / 2);

  const call = (method: "GET" | "POST", path: string, cookie: string, body?: object) =>
    new Promise<Response>((done) => {
      const fail = () => done({ status: 0, text: "", cookie: undefined });
      const headers = {
        "user-agent": userAgent,
        ...(cookie === "" ? {} : { cookie }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      };
      const sent = request(url + path, { method, agent, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        response.on("error", fail);
        response.on("end", () =>
          done({
            status: response.statusCode ?? 0,
            text,
            cookie: response.headers["set-cookie"]?.[0]?.split(";")[0],
          }),
        );
      });
      sent.on("error", fail);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });

  await Promise.all(
    Array.from({ length: visitors }, async () => {
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
