import type { IncomingMessage } from "node:http";
import { pipeline, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { decodeDocument } from "../../contract/decode-document.ts";
import { maxDocumentBytes } from "../../contract/vast-address.ts";
import {
  createGuardedRequest,
  Refused,
  type GuardOptions,
} from "#server/lib/outbound/guarded-request.ts";

export type FetchResult =
  | { ok: true; url: string; redirects: number; text: string }
  | {
      ok: false;
      redirects: number;
      problem: "timeout" | "unreachable" | "too_large" | "refused" | "status";
      status: number | null;
    };

export interface GuardedFetchOptions extends GuardOptions {
  maxBytes?: number;
}

/** Remaining bytes of all documents of one chain. */
interface ByteBudget {
  bytes: number;
}

const maxRedirects = 5;

class TooLarge extends Error {}

/** Fetches text from an address entered by a user. Checks each redirect like the first address. */
export function createGuardedFetch(options: GuardedFetchOptions = {}) {
  const { maxBytes = maxDocumentBytes, ...guard } = options;

  const open = createGuardedRequest(guard);

  return async function fetchText(
    address: string,
    request: { signal: AbortSignal; headers?: Record<string, string>; budget?: ByteBudget },
  ): Promise<FetchResult> {
    let redirects = 0;
    const fail = (
      problem: Extract<FetchResult, { ok: false }>["problem"],
      status: number | null = null,
    ): FetchResult => ({ ok: false, redirects, problem, status });
    const headers = {
      accept: "application/xml, text/xml, */*;q=0.5",
      "accept-encoding": "gzip, deflate, br",
      ...request.headers,
    };
    try {
      let url = URL.parse(address);
      for (;;) {
        if (url === null) return fail("refused");
        const response = await open(url, { headers, signal: request.signal });
        const status = response.statusCode ?? 0;
        const { location } = response.headers;
        if ([301, 302, 303, 307, 308].includes(status) && location !== undefined) {
          response.destroy();
          if (redirects >= maxRedirects) return fail("refused", status);
          redirects += 1;
          url = URL.parse(location, url.href);
          continue;
        }
        if (status === 204) {
          response.destroy();
          return { ok: true, url: url.href, redirects, text: "" };
        }
        if (status !== 200) {
          response.destroy();
          return fail("status", status);
        }
        const text = await readText(response, maxBytes, request.budget);
        return { ok: true, url: url.href, redirects, text };
      }
    } catch (error) {
      if (request.signal.aborted) return fail("timeout");
      if (error instanceof Refused) return fail("refused");
      return fail(error instanceof TooLarge ? "too_large" : "unreachable");
    }
  };
}

export type GuardedFetch = ReturnType<typeof createGuardedFetch>;

/** Returns the body as text. The size limits apply after decompression. */
async function readText(
  response: IncomingMessage,
  maxBytes: number,
  budget: ByteBudget = { bytes: maxBytes },
): Promise<string> {
  const declared = Number(response.headers["content-length"] ?? 0);
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  try {
    if (declared > Math.min(maxBytes, budget.bytes)) throw new TooLarge();
    const decoder = createDecoder(response.headers["content-encoding"]);
    // A loop, because `pipeline` never settles if its last stream fails while a compressed response
    // is still arriving.
    const body: AsyncIterable<Buffer> =
      decoder === null ? response : pipeline(response, decoder, () => undefined);
    for await (const chunk of body) {
      sizeBytes += chunk.length;
      budget.bytes -= chunk.length;
      if (sizeBytes > maxBytes || budget.bytes < 0) throw new TooLarge();
      parts.push(chunk);
    }
  } finally {
    response.destroy();
  }
  return decodeDocument(Buffer.concat(parts), response.headers["content-type"]);
}

function createDecoder(encoding = "identity"): Transform | null {
  const name = encoding.trim().toLowerCase();
  if (name === "gzip" || name === "x-gzip") return createGunzip();
  if (name === "br") return createBrotliDecompress();
  return name === "deflate" ? createInflate() : null;
}
