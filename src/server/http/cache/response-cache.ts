import type { IncomingMessage, ServerResponse } from "node:http";
import { hash } from "node:crypto";
import type { Changes, ChangeTag } from "#server/db/change-tags.ts";
import { targetOf } from "../request-target.ts";
import { compress, pickEncoding, isWorthCompressing, type ContentEncoding } from "./compression.ts";
import { createRecentChanges, isShown } from "./recent-changes.ts";

/** Response to cache. */
interface CachedResponse {
  status: number;
  /** Headers including `etag` and `vary`. */
  headers: Record<string, string>;
  body: Buffer;
  /** Body as compressed for the request that filled the cache. */
  packed: { encoding: ContentEncoding; body: Buffer } | null;
  /** Videos that the response is about and that some visitors may not see. */
  about?: readonly string[];
  /** Content that the response shows. Without tags, every change drops it. */
  tags: ReadonlySet<ChangeTag>;
  ttlMs: number;
}

/** Body in one content coding, with its headers. */
interface Variant {
  head: string[];
  body: Buffer;
}

interface Entry {
  status: number;
  about: readonly string[];
  freshUntil: number;
  staleUntil: number;
  isRefreshing: boolean;
  etag: string;
  tags: ReadonlySet<ChangeTag>;
  headers: [string, string][];
  isCompressible: boolean;
  identity: Variant;
  /** A promise while the body is being compressed, which happens once for all requests. */
  packed: Map<ContentEncoding, Variant | Promise<Variant>>;
  /** Estimated memory of the entry. */
  sizeBytes: number;
}

/** Estimated size of an entry without its texts: objects, maps and buffers. */
const entryBytes = 1000;
/** Estimated size of a tag. */
const bytesPerTag = 100;

/**
 * Copies a body to its own memory, because small buffers and those from zlib are parts of larger
 * blocks.
 */
function ownMemory(body: Buffer): Buffer {
  if (body.buffer.byteLength === body.length) return body;
  const copy = Buffer.allocUnsafeSlow(body.length);
  body.copy(copy);
  return copy;
}

function variantOf(
  headers: [string, string][],
  body: Buffer,
  encoding: ContentEncoding | null,
): Variant {
  const head = headers.flat();
  if (encoding !== null) head.push("content-encoding", encoding);
  head.push("content-length", String(body.length));
  return { head, body: ownMemory(body) };
}

const sizeOf = ({ head, body }: Variant) => body.length + head.length * 16;

function entryOf(
  key: string,
  { status, headers: given, body, packed, about = [], tags, ttlMs }: CachedResponse,
  times: { at: number; staleMs: number },
): Entry {
  const headers = Object.entries(given);
  const identity = variantOf(headers, body, null);
  const variants: [ContentEncoding, Variant][] =
    packed === null ? [] : [[packed.encoding, variantOf(headers, packed.body, packed.encoding)]];
  const texts = headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  const held = [identity, ...variants.map(([, variant]) => variant)];
  return {
    status,
    about,
    freshUntil: times.at + ttlMs,
    staleUntil: times.at + ttlMs + times.staleMs,
    isRefreshing: false,
    etag: given["etag"] ?? "",
    tags,
    headers,
    isCompressible: isWorthCompressing(given["content-type"] ?? "", body.length),
    identity,
    packed: new Map(variants),
    sizeBytes:
      held.reduce((sum, variant) => sum + sizeOf(variant), 0) +
      (entryBytes + key.length + texts + tags.size * bytesPerTag),
  };
}

/** Cached responses by key. Drops the oldest ones beyond `maxBytes`. */
function createCachedResponses(limits: {
  maxBytes: number;
  /** Time in ms for which a response is retained after it has become stale. */
  staleMs: number;
}) {
  const { maxBytes, staleMs } = limits;
  // A Map retains the order of insertion, so its first entry is the oldest.
  const entries = new Map<string, Entry>();
  let bytes = 0;
  let nextSweepAt = 0;

  function remove(key: string): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    bytes -= entry.sizeBytes;
  }

  /**
   * Removes expired responses. Without this they would stay, because most addresses are requested
   * only once.
   */
  function sweep(at: number): void {
    if (at < nextSweepAt) return;
    nextSweepAt = at + staleMs;
    for (const [key, entry] of entries) if (at >= entry.staleUntil) remove(key);
  }

  function count(more: number): void {
    bytes += more;
    for (const oldest of entries.keys()) {
      if (bytes <= maxBytes) break;
      remove(oldest);
    }
  }

  return {
    find: (key: string): Entry | undefined => entries.get(key),
    add(key: string, response: CachedResponse, at: number): void {
      remove(key);
      sweep(at);
      const entry = entryOf(key, response, { at, staleMs });
      entries.set(key, entry);
      count(entry.sizeBytes);
    },
    remove,
    /** Removes the responses that show these changes. */
    drop(changes: Changes): void {
      for (const [key, { tags }] of entries) if (isShown(tags, changes)) remove(key);
    },
    /** Counts additional memory of an entry that is still cached. */
    grow(key: string, entry: Entry, more: number): void {
      if (entries.get(key) !== entry) return;
      entry.sizeBytes += more;
      count(more);
    },
    /** Returns the estimated memory of all entries. */
    bytes: (): number => bytes,
  };
}

/**
 * Returns a weak tag, because a body has the same tag in every content coding (RFC 9110, 8.8.3).
 */
export const etagOf = (body: Buffer): string =>
  `W/"${hash("sha1", body, "base64url").slice(0, 22)}"`;

/**
 * Returns whether an `If-None-Match` header contains this tag. A proxy may have removed the `W/`.
 */
export const matchesEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined && (ifNoneMatch === "*" || ifNoneMatch.includes(etag.slice(2)));

interface Options {
  now: () => number;
  /** Returns the same key for all addresses with the same response. */
  keyOf: (url: string) => string;
  /** Returns whether the requester may get a response about these videos. */
  canServe?: (request: IncomingMessage, videoIds: readonly string[]) => boolean;
  /** Requests this address again, in the background. */
  refresh: (url: string) => Promise<void>;
  maxBytes?: number;
  /** Time in ms for which a stale response may be served during its refresh. */
  staleMs?: number;
  /** Delay of a refresh in ms. It lets the client's next requests go first. */
  refreshAfterMs?: number;
}

const maxUrlLength = 2000;
/**
 * Cache of responses that are the same for every visitor, stored as finished bytes. A hit is
 * written to the socket before the framework sees the request, at 80% of the speed of raw
 * `node:http`. An entry is fresh for its `ttlMs`. After that it is served stale while it is
 * refreshed. A change drops the entries that show it.
 */
export function createResponseCache(options: Options) {
  const {
    now,
    keyOf,
    refresh,
    canServe = () => true,
    maxBytes = 64 * 1024 * 1024,
    staleMs = 30_000,
    refreshAfterMs = 250,
  } = options;
  const responses = createCachedResponses({ maxBytes, staleMs });
  const changes = createRecentChanges();
  const stats = {
    hits: 0,
    misses: 0,
    get bytes() {
      return responses.bytes();
    },
  };

  function pick(
    key: string,
    entry: Entry,
    accepted: string | undefined,
  ): Variant | Promise<Variant> {
    const encoding = entry.isCompressible ? pickEncoding(accepted) : null;
    if (encoding === null) return entry.identity;
    const packed = entry.packed.get(encoding);
    if (packed !== undefined) return packed;
    const packing = compress(entry.identity.body, encoding).then(
      (body) => {
        const variant = variantOf(entry.headers, body, encoding);
        entry.packed.set(encoding, variant);
        responses.grow(key, entry, sizeOf(variant));
        return variant;
      },
      () => entry.identity,
    );
    entry.packed.set(encoding, packing);
    return packing;
  }

  function refreshSoon(url: string, entry: Entry): void {
    entry.isRefreshing = true;
    setTimeout(() => {
      // After a failure, the stale response stays and the next request tries again.
      const done = () => {
        entry.isRefreshing = false;
      };
      void refresh(url).then(done, done);
    }, refreshAfterMs).unref();
  }

  return {
    stats,
    /** Returns the number of `drop` calls. */
    changeCount: changes.count,
    /** Returns whether the cache contains a response for this address that needs no refresh. */
    isFresh: (url: string): boolean =>
      now() < (responses.find(keyOf(url))?.freshUntil ?? -Infinity),
    /** Drops the response for this address. */
    remove: (url: string): void => responses.remove(keyOf(url)),

    /** Drops responses that show these changes, including those being prepared. */
    drop(changed: Changes): void {
      changes.add(changed);
      responses.drop(changed);
    },

    /**
     * Adds a response. The caller must have checked that it is the same for every visitor.
     * @param since value of `changeCount` before work on the response began.
     * @returns false if its content has changed since then.
     */
    put(url: string, response: CachedResponse, since: number): boolean {
      if (changes.concernsSince(since, response.tags)) return false;
      responses.add(keyOf(url), response, now());
      return true;
    },

    /** Responds from the cache if possible. @returns false if it hasn't touched the request. */
    tryServe(request: IncomingMessage, response: ServerResponse): boolean {
      const url = targetOf(request).fullUrl;
      if (url.length > maxUrlLength) return false;
      const key = keyOf(url);
      const entry = responses.find(key);
      const nowMs = now();
      if (entry === undefined || nowMs >= entry.staleUntil) {
        if (entry !== undefined) responses.remove(key);
        stats.misses += 1;
        return false;
      }
      // The route refuses it with its own response.
      if (!canServe(request, entry.about)) return false;
      if (nowMs >= entry.freshUntil && !entry.isRefreshing) refreshSoon(key, entry);
      stats.hits += 1;
      if (entry.status === 200 && matchesEtag(request.headers["if-none-match"], entry.etag)) {
        response.writeHead(304, entry.headers.flat());
        response.end();
        return true;
      }
      const send = ({ head, body }: Variant) => {
        response.writeHead(entry.status, head);
        if (request.method === "HEAD") response.end();
        else response.end(body);
      };
      const variant = pick(key, entry, request.headers["accept-encoding"]?.toString());
      if (variant instanceof Promise) void variant.then(send);
      else send(variant);
      return true;
    },
  };
}

export type ResponseCache = ReturnType<typeof createResponseCache>;
