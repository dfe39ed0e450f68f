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
import type { Config } from "../config.ts";
import { AppError } from "../lib/app-error.ts";
import { newToken } from "../lib/ids.ts";
import type { Logger } from "../lib/logger.ts";
import { createResponseCache, type ResponseCache } from "./response-cache.ts";
import { compress, isWorthCompressing, pickEncoding } from "./compression.ts";
import { registerErrors } from "./errors.ts";
import { requireTransportSecurity } from "./security-headers.ts";
import { readSessionToken } from "./session-cookie.ts";

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
}

/** Of one request, or of one form of the answer: not what a kept answer says again. */
const headersOfOne = new Set(["content-length", "x-request-id", "strict-transport-security"]);

function headersToKeep(headers: Record<string, unknown>): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name, value]) => value !== undefined && !headersOfOne.has(name),
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

/**
 * The bare HTTP application: framework, cache in front of it, errors. Guards and routes come from
 * the context.
 */
export function createHttpCore(
  config: Pick<Config, "trustProxy" | "responseCache">,
  logger: Logger,
): HttpCore {
  let isOpen = true;

  const cache = createResponseCache({
    now: () => performance.now(),
    refresh: async (url) => {
      // Straight to the framework, past this cache; compressed as most readers want it, so that the
      // next one does not wait for that either.
      if (isOpen) await app.inject({ method: "GET", url, headers: { "accept-encoding": "br" } });
    },
  });

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
    bodyLimit: 1024 * 1024,
    // Slugs in other scripts are percent-encoded: the default of 100 would answer 414.
    routerOptions: { maxParamLength: 1000, ignoreTrailingSlash: true },
    forceCloseConnections: "idle",
    serverFactory: (handler) =>
      createServer(
        { keepAliveTimeout: 65_000, requestTimeout: 0, headersTimeout: 30_000 },
        (request, response) => {
          requireTransportSecurity(request, response, config.trustProxy.length > 0);
          const { method } = request;
          if (
            config.responseCache &&
            (method === "GET" || method === "HEAD") &&
            readSessionToken(request.headers.cookie) === null &&
            cache.tryServe(request, response)
          ) {
            return;
          }
          handler(request, response);
        },
      ),
  }).withTypeProvider<ZodTypeProvider>();

  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  registerErrors(app);

  // A call that needs no body accepts an empty one, also under Content-Type: application/json.
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, text, done) => {
    if (text === "") return done(null, undefined);
    try {
      const value: unknown = JSON.parse(String(text), (key, inner: unknown) =>
        key === "__proto__" ? undefined : inner,
      );
      done(null, value);
    } catch {
      done(new AppError("invalid", "The body is not valid JSON."));
    }
  });

  // What is still to be made anew by then would ask a database that is gone.
  app.addHook("preClose", async () => {
    isOpen = false;
  });
  app.decorateRequest("cacheEpoch", 0);
  app.addHook("onRequest", async (request, reply) => {
    request.cacheEpoch = cache.epoch();
    void reply.header("x-request-id", request.id);
  });
  app.addHook("onSend", async (request, reply, payload) => {
    const isBody = typeof payload === "string" || Buffer.isBuffer(payload);
    const ttlMs = request.routeOptions.config?.cache?.ttlMs ?? reply.cacheForMs ?? 0;
    const mayBeKept = ttlMs > 0 && request.method === "GET";
    if (mayBeKept && !reply.hasHeader("cache-control"))
      void reply.header("cache-control", "no-cache");
    if (!isBody || request.method === "HEAD" || reply.hasHeader("content-encoding")) return payload;

    const body = Buffer.isBuffer(payload) ? payload : Buffer.from(payload);
    const type = String(reply.getHeader("content-type") ?? "");
    const encoding = isWorthCompressing(type, body.length)
      ? pickEncoding(request.headers["accept-encoding"]?.toString())
      : null;
    const packed = encoding === null ? null : { encoding, body: await compress(body, encoding) };
    const isForEverybody =
      reply.statusCode === 200 && request.user === null && !reply.hasHeader("set-cookie");
    if (mayBeKept && isForEverybody && request.cacheEpoch === cache.epoch()) {
      cache.put(request.raw.url ?? request.url, {
        headers: headersToKeep(reply.getHeaders()),
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

  app.addHook("onResponse", async (request, reply) => {
    const isWorthALine =
      reply.statusCode >= 500 || reply.elapsedTime > 1000 || request.method !== "GET";
    const line = {
      method: request.method,
      url: request.url.split("?")[0],
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    };
    if (isWorthALine) request.log.info(line, "request");
    else request.log.debug(line, "request");
  });

  return { app, cache };
}

declare module "fastify" {
  interface FastifyRequest {
    cacheEpoch: number;
  }
  interface FastifyReply {
    /** Set by handlers whose answer may be cached only sometimes (pages). */
    cacheForMs: number | undefined;
  }
}
