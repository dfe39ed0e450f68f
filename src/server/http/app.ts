import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type RawServerDefault,
} from "fastify";
import {
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from "fastify-type-provider-zod";
import { ZodObject } from "zod";
import type { Config } from "../config.ts";
import { AppError } from "../lib/app-error.ts";
import { newToken } from "../lib/ids.ts";
import type { Logger } from "../lib/logger.ts";
import { createCacheQuery, type CacheQuery } from "./cache/cache-query.ts";
import { createResponseCache, type ResponseCache } from "./cache/response-cache.ts";
import { compress, isWorthCompressing, pickEncoding } from "./cache/compression.ts";
import { createBodyTimeouts, defaultBodyTimes } from "./limits/body-timeouts.ts";
import {
  handleClientError,
  isHostMissing,
  refuseHead,
  refuseUnsupported,
} from "./client-errors.ts";
import { limitConnections } from "./limits/connection-limit.ts";
import { registerErrors, sendError } from "./errors.ts";
import { maxPublicBodyBytes } from "./access/policy.ts";
import { registerRequestLog } from "./request-log.ts";
import { baseHeaders, requireTransportSecurity } from "./access/security-headers.ts";
import type { SessionCookies } from "./access/session-cookie.ts";

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

export interface HttpCore {
  app: App;
  cache: ResponseCache;
  /** The query names of cacheable addresses. Those of API calls come from their schemas. */
  cacheQuery: Pick<CacheQuery, "declare" | "isUnknown">;
  /**
   * Lets requests with a session cookie use the cache where the session has ended. Register it after
   * the hook that finds the user.
   */
  registerCacheForEndedSessions(): void;
}

/** Headers of one request or of one encoding, which a cached response must not repeat. */
const uncachedHeaders = new Set(["content-length", "x-request-id", "strict-transport-security"]);

function headersToCache(headers: Record<string, unknown>): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name, value]) => value !== undefined && !uncachedHeaders.has(name),
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

/** The HTTP application without guards and routes: framework, response cache, errors. */
export function createHttpCore(
  config: Pick<Config, "trustProxy" | "responseCache">,
  logger: Logger,
  sessionCookies: Pick<SessionCookies, "isIn">,
  bodyTimes = defaultBodyTimes,
): HttpCore {
  let isOpen = true;
  const bodyTimeouts = createBodyTimeouts(bodyTimes);

  const cacheQuery = createCacheQuery();
  const cache = createResponseCache({
    now: () => performance.now(),
    keyOf: (url) => cacheQuery.keyOf(url),
    refresh: async (url) => {
      // Past this cache, and with the encoding that most clients accept, so that the next request
      // waits for neither. From an address that no client has, so that none takes its turns.
      const headers = { "accept-encoding": "br" };
      if (isOpen) await app.inject({ method: "GET", url, headers, remoteAddress: "::" });
    },
  });

  const isCacheable = ({ method }: IncomingMessage) =>
    config.responseCache && (method === "GET" || method === "HEAD");

  // Named by its plain type: the framework's types follow that of the logger.
  const baseLogger: FastifyBaseLogger = logger;
  const app: App = Fastify({
    loggerInstance: baseLogger,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: "requestId",
    }),
    genReqId: () => newToken(9),
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    // The policies raise it for the back office. Addresses without a route have a body too.
    bodyLimit: maxPublicBodyBytes,
    // Slugs in other scripts are percent-encoded: with the default of 100 they would get 414.
    routerOptions: { maxParamLength: 1000, ignoreTrailingSlash: true },
    forceCloseConnections: "idle",
    clientErrorHandler: handleClientError,
    // Addresses that cannot be decoded lead nowhere.
    frameworkErrors: (_error, request, reply) => {
      void reply.headers({ ...baseHeaders, "x-request-id": request.id });
      sendError(request, reply, new AppError("not_found", "There is nothing at this address."));
    },
    serverFactory: (handler) => {
      const server = createServer(
        {
          keepAliveTimeout: 65_000,
          headersTimeout: 30_000,
          // The time of a body depends on its call.
          requestTimeout: 0,
          // Refused below, in the form of every error.
          requireHostHeader: false,
        },
        (request, response) => {
          if (isHostMissing(request)) return refuseHead(response, "invalid", "Name the host.");
          bodyTimeouts.watch(request, response);
          requireTransportSecurity(request, response, config.trustProxy.length > 0);
          const mayUseCache = isCacheable(request) && !sessionCookies.isIn(request.headers.cookie);
          if (mayUseCache && cache.tryServe(request, response)) return;
          handler(request, response);
        },
      );
      refuseUnsupported(server);
      limitConnections(server, config.trustProxy);
      return server;
    },
  }).withTypeProvider<ZodTypeProvider>();

  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  // The first hook, so that every refusal names its request.
  app.addHook("onRequest", async (request, reply) => {
    void reply.header("x-request-id", request.id);
  });
  registerErrors(app);

  // Calls without a body may still send Content-Type: application/json.
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, text, done) => {
    if (text === "") return done(null, undefined);
    try {
      // Without a reviver, which visits every value and is 50 times slower. A `__proto__` key is
      // harmless: the schemas copy the fields that they name and never the rest.
      const value: unknown = JSON.parse(String(text));
      done(null, value);
    } catch {
      done(new AppError("invalid", "The body is not valid JSON."));
    }
  });

  // A refresh after this would query a closed database.
  app.addHook("preClose", async () => {
    isOpen = false;
  });
  app.decorateRequest("cacheEpoch", 0);
  app.addHook("onRequest", async (request, reply) => {
    request.cacheEpoch = cache.epoch();
  });
  app.addHook("onSend", async (request, reply, payload) => {
    const isBody = typeof payload === "string" || Buffer.isBuffer(payload);
    const ttlMs = request.routeOptions.config?.cache?.ttlMs ?? reply.cacheForMs ?? 0;
    const isCacheable = ttlMs > 0;
    if (isCacheable && !reply.hasHeader("cache-control"))
      void reply.header("cache-control", "no-cache");
    if (!isBody || reply.hasHeader("content-encoding")) return payload;

    const body = Buffer.isBuffer(payload) ? payload : Buffer.from(payload);
    const type = String(reply.getHeader("content-type") ?? "");
    const isHead = request.method === "HEAD";
    const encoding =
      !isHead && isWorthCompressing(type, body.length)
        ? pickEncoding(request.headers["accept-encoding"]?.toString())
        : null;
    const packed = encoding === null ? null : { encoding, body: await compress(body, encoding) };
    const isSameForEveryone = request.user === null && !reply.hasHeader("set-cookie");
    // Of failures only the page for unknown addresses is cached; its handler says so.
    const isWorthKeeping =
      reply.statusCode === 200 || (reply.statusCode === 404 && reply.cacheForMs !== undefined);
    if (
      isCacheable &&
      isWorthKeeping &&
      isSameForEveryone &&
      request.cacheEpoch === cache.epoch()
    ) {
      cache.put(request.raw.url ?? request.url, {
        status: reply.statusCode,
        headers: headersToCache(reply.getHeaders()),
        body,
        packed,
        ttlMs,
      });
    }
    if (packed === null) return payload;
    void reply.removeHeader("content-length");
    void reply.headers({ "content-encoding": packed.encoding, vary: "accept-encoding" });
    return packed.body;
  });
  app.decorateReply("cacheForMs", undefined);
  // After the guards: only callers who may upload get the long time.
  app.addHook("preParsing", (request, reply, payload, done) => {
    if (request.routeOptions.config?.isUpload === true) {
      bodyTimeouts.expectUpload(request.raw, reply.raw);
    }
    done(null, payload);
  });

  registerRequestLog(app);

  app.addHook("onRoute", ({ url, config: routeConfig, schema }) => {
    cacheQuery.know(url);
    if (routeConfig?.cache === undefined) return;
    const { querystring } = schema ?? {};
    cacheQuery.declare(url, querystring instanceof ZodObject ? Object.keys(querystring.shape) : []);
  });

  return {
    app,
    cache,
    cacheQuery,
    registerCacheForEndedSessions() {
      app.addHook("onRequest", (request, reply, done) => {
        const { raw } = request;
        const hasEnded = request.user === null && sessionCookies.isIn(raw.headers.cookie);
        if (hasEnded && isCacheable(raw) && cache.tryServe(raw, reply.raw)) reply.hijack();
        else done();
      });
    },
  };
}

declare module "fastify" {
  interface FastifyRequest {
    cacheEpoch: number;
  }
  interface FastifyReply {
    /** How long this response may be cached, in ms. Set by handlers that cache only sometimes. */
    cacheForMs: number | undefined;
  }
}
