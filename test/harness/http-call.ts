import { request, type Agent } from "node:http";

/** A browser's user agent, because other programs count as bots. */
export const browserAgent =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36";

export interface CallResult {
  /** HTTP status; 0 without a response. */
  status: number;
  /** Empty unless the body is uncompressed JSON. */
  text: string;
  /** First cookie of the response, in the form of a request header. */
  cookie: string | undefined;
}

/** Sends a request over the connections of `agent` and reads its response. */
export function callOver(
  agent: Agent,
  url: string,
  call: { method: "GET" | "POST"; headers: Record<string, string>; body?: object | undefined },
): Promise<CallResult> {
  const { method, headers, body } = call;
  const contentType = body === undefined ? {} : { "content-type": "application/json" };
  const options = { method, agent, headers: { ...headers, ...contentType } };
  return new Promise((done) => {
    const fail = () => done({ status: 0, text: "", cookie: undefined });
    const sent = request(url, options, (response) => {
      const isJson = response.headers["content-type"]?.startsWith("application/json") === true;
      const isRead = isJson && response.headers["content-encoding"] === undefined;
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => {
        if (isRead) chunks.push(chunk);
      });
      response.on("error", fail);
      response.on("end", () =>
        done({
          status: response.statusCode ?? 0,
          text: Buffer.concat(chunks).toString(),
          cookie: response.headers["set-cookie"]?.[0]?.split(";")[0],
        }),
      );
    });
    sent.on("error", fail);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
