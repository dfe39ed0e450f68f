import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { compress, isWorthCompressing, pickEncoding, type ContentEncoding } from "./compression.ts";

/**
 * Answers that are the same for every visitor, kept as finished bytes. A hit is written straight to
 * the socket, before the framework sees the request: 80% of what raw `node:http` can do. An entry is
 * fresh for its own `ttlMs`, then still served until it has been made anew, and everything is dropped
 * when an administrator writes.
 */
export interface ResponseCache {
  /** Answers from memory if it can. `false` leaves the request untouched. */
  tryServe(request: IncomingMessage, response: ServerResponse): boolean;
  /** Keeps an answer; the caller has checked that it is a plain 200 for everybody. */
  put(url: string, answer: CachedAnswer): void;
  /** Forgets everything; answers already being made are not kept either. */
  clear(): void;
  /** Changes with every `clear`: an answer begun in an older epoch must not be kept. */
  epoch(): number;
  readonly stats: { hits: number; misses: number };
}

export interface CachedAnswer {
  headers: Record<string, string>;
  body: Buffer;
  /** The body as it was already compressed for whoever asked. */
  packed: { encoding: ContentEncoding; body: Buffer } | null;
  ttlMs: number;
}

interface Variant {
  head: string[];
  body: Buffer;
}

interface Entry {
  freshUntil: number;
  staleUntil: number;
  isRefreshing: boolean;
  etag: string;
  headers: [string, string][];
  isCompressible: boolean;
  identity: Variant;
  /** A form that is still being made is there already: all who ask meanwhile wait for the one. */
  packed: Map<ContentEncoding, Variant | Promise<Variant>>;
  sizeBytes: number;
}

interface Options {
  now: () => number;
  /** Makes the answer of this address anew, in the background. */
  refresh: (url: string) => Promise<void>;
  maxBytes?: number;
  /** How long a stale answer may still be shown while a new one is made, in ms. */
  staleMs?: number;
  /** How long making it anew waits, in ms: what its reader asks for next comes first. */
  refreshAfterMs?: number;
}

const longestUrl = 2000;

/**
 * The address with its query in a fixed order and without what no handler reads, so that the same
 * answer is not kept many times over.
 */
export function cacheKey(url: string): string {
  const at = url.indexOf("?");
  if (at < 0) return url;
  const query = new URLSearchParams(url.slice(at + 1));
  for (const name of [...query.keys()]) {
    if (/^(utm_\w+|fbclid|gclid|ref|_)$/.test(name)) query.delete(name);
  }
  query.sort();
  const text = query.toString();
  return text === "" ? url.slice(0, at) : `${url.slice(0, at)}?${text}`;
}

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
    refresh,
    maxBytes = 96 * 1024 * 1024,
    staleMs = 30_000,
    refreshAfterMs = 250,
  } = options;
  // A Map keeps its order of insertion: the oldest goes first when space runs out.
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
    const making = compress(entry.identity.body, encoding).then((body) => {
      const made = variantOf(entry.headers, body, encoding);
      entry.packed.set(encoding, made);
      return made;
    });
    entry.packed.set(encoding, making);
    return making;
  }

  function refreshSoon(url: string, entry: Entry): void {
    entry.isRefreshing = true;
    setTimeout(() => {
      // One that fails leaves the stale answer to its age; the next reader tries again.
      const retry = () => {
        entry.isRefreshing = false;
      };
      void refresh(url).then(retry, retry);
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

    put(url, answer) {
      const key = cacheKey(url);
      drop(key);
      const etag = `"${createHash("sha1").update(answer.body).digest("base64url").slice(0, 22)}"`;
      const headers: [string, string][] = Object.entries({
        ...answer.headers,
        etag,
        vary: "accept-encoding",
      });
      const { body, packed } = answer;
      const at = now();
      const sizeBytes = body.length * 2 + 1000;
      entries.set(key, {
        freshUntil: at + answer.ttlMs,
        staleUntil: at + answer.ttlMs + staleMs,
        isRefreshing: false,
        etag,
        headers,
        isCompressible: isWorthCompressing(answer.headers["content-type"] ?? "", body.length),
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
      if (url.length > longestUrl) return false;
      const key = cacheKey(url);
      const entry = entries.get(key);
      const at = now();
      if (entry === undefined || at >= entry.staleUntil) {
        if (entry !== undefined) drop(key);
        stats.misses += 1;
        return false;
      }
      if (at >= entry.freshUntil && !entry.isRefreshing) refreshSoon(url, entry);
      stats.hits += 1;
      const match = request.headers["if-none-match"];
      if (match !== undefined && match.includes(entry.etag)) {
        response.writeHead(304, entry.headers.flat());
        response.end();
        return true;
      }
      const send = ({ head, body }: Variant) => {
        response.writeHead(200, head);
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
