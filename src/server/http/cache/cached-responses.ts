import type { Changes, ChangeTag } from "#server/db/change-tags.ts";
import { isWorthCompressing, type ContentEncoding } from "./compression.ts";
import { isShown } from "./recent-changes.ts";

/** Response to cache. */
export interface CachedResponse {
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
export interface Variant {
  head: string[];
  body: Buffer;
}

export interface Entry {
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

export function variantOf(
  headers: [string, string][],
  body: Buffer,
  encoding: ContentEncoding | null,
): Variant {
  const head = headers.flat();
  if (encoding !== null) head.push("content-encoding", encoding);
  head.push("content-length", String(body.length));
  return { head, body: ownMemory(body) };
}

export const sizeOf = ({ head, body }: Variant) => body.length + head.length * 16;

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
export function createCachedResponses(limits: {
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
