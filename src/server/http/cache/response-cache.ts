import type { IncomingMessage, ServerResponse } from "node:http";
import type { Changes } from "#server/db/change-tags.ts";
import { targetOf } from "../request-target.ts";
import {
  createCachedResponses,
  sizeOf,
  variantOf,
  type CachedResponse,
  type Entry,
  type Variant,
} from "./cached-responses.ts";
import { compress, pickEncoding } from "./compression.ts";
import { matchesEtag } from "./etag.ts";
import { createRecentChanges } from "./recent-changes.ts";

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
    const kept = entry.packed.get(encoding);
    if (kept !== undefined) return kept;
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
      const url = targetOf(request).asked;
      if (url.length > maxUrlLength) return false;
      const key = keyOf(url);
      const entry = responses.find(key);
      const at = now();
      if (entry === undefined || at >= entry.staleUntil) {
        if (entry !== undefined) responses.remove(key);
        stats.misses += 1;
        return false;
      }
      // The route refuses it with its own response.
      if (!canServe(request, entry.about)) return false;
      if (at >= entry.freshUntil && !entry.isRefreshing) refreshSoon(key, entry);
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
