import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ZodObject } from "zod";
import { errorStatus } from "#contract/errors.ts";
import type { ChangeTag } from "#server/db/change-tags.ts";
import type { SessionCookies } from "../access/session-cookie.ts";
import { targetOf } from "../request-target.ts";
import type { CacheQuery } from "./cache-query.ts";
import { compress, isWorthCompressing, pickEncoding, type ContentEncoding } from "./compression.ts";
import { etagOf, matchesEtag, type ResponseCache } from "./response-cache.ts";
import { collectShown } from "./shown-tags.ts";

/** Result of preparing a response, for the requests that wait for it. */
type Outcome =
  /** The response is in the cache. */
  | "cached"
  /** The client disconnected or the content changed. The next request prepares the response. */
  | "again"
  /** The response isn't the same for everyone, for example because it is an error. */
  | "alone";

/** Response being prepared. Other requests with the same key wait for it. */
interface Flight {
  ended: Promise<Outcome>;
  end(outcome: Outcome): void;
  /** Number of changes before it started. */
  since: number;
  shown: Set<ChangeTag>;
}

/** Number of times that a request waits before it prepares the response itself. */
const maxWaits = 3;

/** Responses being prepared, by cache key. */
function createFlights() {
  const flights = new Map<string, Flight>();
  return {
    has: (key: string): boolean => flights.has(key),

    /** @param since number of changes so far. */
    begin(key: string, since: number): Flight {
      const { promise: ended, resolve } = Promise.withResolvers<Outcome>();
      const flight: Flight = {
        ended,
        since,
        shown: new Set(),
        end(outcome) {
          if (flights.get(key) === flight) flights.delete(key);
          resolve(outcome);
        },
      };
      flights.set(key, flight);
      return flight;
    },

    /**
     * Waits for the response if it is being prepared, then calls `serve`. Calls `next` if there is
     * nothing to wait for or `serve` returns false.
     */
    join(key: string, serve: () => boolean, next: () => void): void {
      function wait(waits: number): void {
        const flight = flights.get(key);
        if (flight === undefined || waits === maxWaits) return next();
        void flight.ended.then((outcome) => {
          if (outcome === "cached" && serve()) return;
          if (outcome === "again") wait(waits + 1);
          else next();
        });
      }
      wait(0);
    },
  };
}

/** Body as compressed for one request. */
interface Packed {
  encoding: ContentEncoding;
  body: Buffer;
}

/** Headers that belong to one request or encoding and must not be cached. */
const uncachedHeaders = new Set([
  "content-length",
  "x-request-id",
  "strict-transport-security",
  "rating",
]);

function headersToCache(headers: Record<string, unknown>): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name, value]) => value !== undefined && !uncachedHeaders.has(name),
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

interface Deps {
  cache: ResponseCache;
  cacheQuery: CacheQuery;
  sessionCookies: SessionCookies;
  /** Returns false for requests that never use the cache. */
  isCacheable: (raw: FastifyRequest["raw"]) => boolean;
  /** Returns the `Cache-Control` of responses that are the same for every visitor. */
  cacheControl: () => string;
  /** True to send a CDN the content of a response as `Cache-Tag`. */
  hasCacheTags: boolean;
}

/** Returns how long a response may be cached, in ms; 0 if not at all. */
function ttlOf(
  cacheQuery: CacheQuery,
  { raw, routeOptions }: FastifyRequest,
  reply: FastifyReply,
): number {
  // The only cached failure is the page for unknown addresses, if its handler allows it.
  if (reply.statusCode === 404) return reply.cacheForMs ?? 0;
  if (reply.statusCode !== 200) return 0;
  const ttlMs = routeOptions.config?.cache?.ttlMs ?? reply.cacheForMs ?? 0;
  // An existing page is never cached as the page for unknown addresses, even if its address was
  // classified as unknown.
  const isUnknownPage =
    ttlMs > 0 && cacheQuery.isUnknownKey(cacheQuery.keyOf(targetOf(raw).fullUrl));
  return isUnknownPage ? 0 : ttlMs;
}

/** Caches a prepared response if it is shared, and lets the requests that wait for it continue. */
function settle(
  cache: ResponseCache,
  flight: Flight,
  prepared: {
    request: FastifyRequest;
    reply: FastifyReply;
    body: Buffer;
    packed: Packed | null;
    ttlMs: number;
    isShared: boolean;
  },
): void {
  const { request, reply, body, packed, ttlMs, isShared } = prepared;
  const { fullUrl } = targetOf(request.raw);
  if (!isShared) {
    // A failure leaves a stale response in place, and so does a visitor who may not see it. A
    // deleted page doesn't.
    const isGone = reply.statusCode < 500 && reply.statusCode !== errorStatus.blocked_country;
    if (isGone) cache.remove(fullUrl);
    return flight.end("alone");
  }
  const response = {
    status: reply.statusCode,
    headers: headersToCache(reply.getHeaders()),
    body,
    packed,
    about: [...(request.videoGate?.about ?? [])],
    tags: flight.shown,
    ttlMs,
  };
  flight.end(cache.put(fullUrl, response, flight.since) ? "cached" : "again");
}

/**
 * Fills the cache, and lets requests for the same response share one preparation. Call `share`
 * after the guards and the read limit, because a preparation that others wait for must not wait
 * itself.
 */
export function registerSharedResponses(app: FastifyInstance, deps: Deps): { share(): void } {
  const { cache, cacheQuery, sessionCookies, isCacheable, cacheControl, hasCacheTags } = deps;
  const flights = createFlights();

  const isPage = (url: string) => cacheQuery.isDeclared(url) || cacheQuery.isUnknown(url);
  const isShareable = (request: FastifyRequest) =>
    request.user === null &&
    isCacheable(request.raw) &&
    (request.is404
      ? isPage(targetOf(request.raw).url)
      : request.routeOptions.config.cache !== undefined);

  app.decorateRequest("flight", null);
  app.decorateReply("cacheForMs", undefined);

  app.addHook("onSend", (request, reply, payload, done) => {
    const ttlMs = ttlOf(cacheQuery, request, reply);
    const isShared = ttlMs > 0 && request.user === null && !reply.hasHeader("set-cookie");
    if (ttlMs > 0 && reply.statusCode === 200) {
      void reply.header("cache-control", isShared ? cacheControl() : "private, no-store");
    }

    const isBody = typeof payload === "string" || Buffer.isBuffer(payload);
    if (!isBody || reply.hasHeader("content-encoding")) return done(null, payload);
    const type = String(reply.getHeader("content-type") ?? "");
    const isCompressible = isWorthCompressing(type, Buffer.byteLength(payload));
    if (isCompressible || isShared) {
      const vary = reply.getHeader("vary");
      void reply.header(
        "vary",
        vary === undefined ? "accept-encoding" : `${String(vary)}, accept-encoding`,
      );
    }
    const encoding =
      isCompressible && request.method !== "HEAD"
        ? pickEncoding(request.headers["accept-encoding"]?.toString())
        : null;
    // No other request gets it, so it is sent unchanged and in one piece with its headers.
    if (!isShared && encoding === null && request.flight === null) return done(null, payload);

    const body = Buffer.isBuffer(payload) ? payload : Buffer.from(payload);
    const etag = isShared ? etagOf(body) : null;
    if (etag !== null) void reply.header("etag", etag);
    if (hasCacheTags && isShared && request.flight !== null) {
      void reply.header("cache-tag", [...request.flight.shown].join(","));
    }

    function finish(packed: Packed | null): Buffer | null {
      if (request.flight !== null) {
        settle(cache, request.flight, { request, reply, body, packed, ttlMs, isShared });
      }
      if (
        reply.statusCode === 200 &&
        etag !== null &&
        matchesEtag(request.headers["if-none-match"], etag)
      ) {
        void reply.code(304).removeHeader("content-length");
        return null;
      }
      if (packed === null) return body;
      void reply.removeHeader("content-length");
      void reply.header("content-encoding", packed.encoding);
      return packed.body;
    }
    if (encoding === null) return done(null, finish(null));
    return compress(body, encoding).then((packed) => finish({ encoding, body: packed }));
  });

  // The client disconnected before the response was ready, or the response is a stream.
  app.addHook("onResponse", ({ flight }, _reply, done) => {
    flight?.end("again");
    done();
  });

  app.addHook("onRoute", ({ url, config, schema }) => {
    cacheQuery.know(url);
    if (config?.cache === undefined) return;
    const { querystring } = schema ?? {};
    cacheQuery.declare(url, querystring instanceof ZodObject ? Object.keys(querystring.shape) : []);
  });

  return {
    share() {
      const keyOf = (request: FastifyRequest) => cacheQuery.keyOf(targetOf(request.raw).fullUrl);

      function serve(request: FastifyRequest, reply: FastifyReply): boolean {
        const isServed = cache.tryServe(request.raw, reply.raw);
        if (!isServed) return false;
        reply.hijack();
        request.endRead?.();
        return true;
      }

      app.addHook("onRequest", (request, reply, done) => {
        if (!isShareable(request)) return done();
        // Requests without a signed session cookie were already looked up before the framework saw
        // them.
        const session = sessionCookies.stateOf(request.raw.headers);
        if (session === "signed" && serve(request, reply)) return;
        flights.join(keyOf(request), () => serve(request, reply), done);
      });
      app.addHook("preHandler", (request, reply, done) => {
        if (!isShareable(request)) return done();
        const key = keyOf(request);
        const prepare = () => {
          // Another request may have prepared it while this one waited for a place.
          if (cache.isFresh(targetOf(request.raw).fullUrl) && serve(request, reply)) return;
          if (flights.has(key)) return done();
          request.flight = flights.begin(key, cache.changeCount());
          collectShown(request.flight.shown, done);
        };
        flights.join(key, () => serve(request, reply), prepare);
      });
    },
  };
}

declare module "fastify" {
  interface FastifyRequest {
    /** Preparation that other requests wait for. */
    flight: Flight | null;
  }
  interface FastifyReply {
    /**
     * Time in ms for which this response may be cached. Set by handlers that cache only some
     * responses.
     */
    cacheForMs: number | undefined;
  }
}
