import { Agent, request, type IncomingHttpHeaders } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Call } from "./call.ts";

export interface Received {
  status: number;
  headers: IncomingHttpHeaders;
  /** Body as decoded text. */
  text: string;
}

/** Milliseconds for which event streams are read. */
const streamMs = 50;

function decode(body: Buffer, encoding: string | undefined): string {
  if (body.length === 0) return "";
  if (encoding === "br") return brotliDecompressSync(body).toString();
  if (encoding === "gzip") return gunzipSync(body).toString();
  return body.toString();
}

/**
 * Sends calls over connections that stay open. @param timeoutMs slower responses count as missing.
 */
export function createSender(url: string, timeoutMs = 60_000) {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });

  /** @returns the response, or the reason why there is none. */
  function send(call: Omit<Call, "operation">, cookie: string): Promise<Received | string> {
    return new Promise((resolve) => {
      const given = call.headers["cookie"];
      const cookies = [cookie, ...(given === undefined ? [] : [given])].filter(
        (text) => text !== "",
      );
      const options = {
        agent,
        method: call.method,
        path: call.path,
        headers: {
          ...(call.body === null ? {} : { "content-length": call.body.length }),
          ...call.headers,
          ...(cookies.length === 0 ? {} : { cookie: cookies.join("; ") }),
        },
      };
      const { hostname, port } = new URL(url);
      const sent = request({ hostname, port, ...options }, (response) => {
        const chunks: Buffer[] = [];
        const finish = () => {
          clearTimeout(timer);
          const { headers, statusCode = 0 } = response;
          try {
            const text = decode(Buffer.concat(chunks), headers["content-encoding"]);
            resolve({ status: statusCode, headers, text });
          } catch (error) {
            resolve(`the body cannot be decoded: ${String(error)}`);
          }
        };
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", finish);
        response.on("error", (error) => resolve(`the body broke off: ${error.message}`));
        if (response.headers["content-type"]?.startsWith("text/event-stream") === true) {
          setTimeout(() => {
            finish();
            response.destroy();
          }, streamMs);
        }
      });
      const timer = setTimeout(() => {
        resolve(`no response within ${timeoutMs / 1000} s`);
        sent.destroy();
      }, timeoutMs);
      sent.on("error", (error) => {
        clearTimeout(timer);
        resolve(`no response: ${error.message}`);
      });
      sent.end(call.body ?? undefined);
    });
  }

  return { send, close: () => agent.destroy() };
}
