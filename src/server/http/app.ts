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
import { createAnswerCache, type AnswerCache } from "./answer-cache.ts";
import { readCookie } from "./cookies.ts";
import { registerErrors } from "./errors.ts";
import { sessionCookie } from "./sessions.ts";

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** Named in place of a secret: a request that refreshes the cache must not be answered from it. */
const refreshHeader = "x-kinora-refresh";

/** Answers a GET itself and says true, or leaves the request untouched for the framework. */
export type Shortcut = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface HttpCore {
  app: App;
  cache: AnswerCache;
  /** For the few answers that are made anew each time and asked for by every page. */
  shortcuts: Shortcut[];
}

/**
 * The bare HTTP application: framework, cache in front of it, errors. Guards and routes come from
 * the context.
 */
export function createHttpCore(
  config: Pick<Config, "trustProxy" | "answerCache">,
  logger: Logger,
): HttpCore {
  const refreshKey = newToken();
  const shortcuts: Shortcut[] = [];

  const cache = createAnswerCache({
    now: () => performance.now(),
    refresh: async (url) => {
      await app.inject({ method: "GET", url, headers: { [refreshHeader]: refreshKey } });
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
          const { method } = request;
          if (
            config.answerCache &&
            (method === "GET" || method === "HEAD") &&
            (request.headers.cookie === undefined ||
              readCookie(request.headers.cookie, sessionCookie) === null) &&
            cache.tryServe(request, response)
          ) {
            return;
          }
          if (method === "GET" && shortcuts.some((serve) => serve(request, response))) return;
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

  app.decorateRequest("cacheEpoch", 0);
  app.addHook("onRequest", async (request, reply) => {
    request.cacheEpoch = cache.epoch();
    void reply.header("x-request-id", request.id);
  });
  app.addHook("onSend", async (request, reply, payload) => {
    const ttlMs = request.routeOptions.config?.cache?.ttlMs ?? reply.cacheForMs;
    if (ttlMs === undefined || ttlMs === 0 || request.method !== "GET") return payload;
    if (!reply.hasHeader("cache-control")) void reply.header("cache-control", "no-cache");
    if (reply.statusCode !== 200 || request.user !== null || reply.hasHeader("set-cookie")) {
      return payload;
    }
    if (typeof payload !== "string" && !Buffer.isBuffer(payload)) return payload;
    if (request.cacheEpoch !== cache.epoch()) return payload;
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value === undefined || name === "content-length" || name === "x-request-id") continue;
      headers[name] = String(value);
    }
    cache.put(request.raw.url ?? request.url, {
      headers,
      body: Buffer.isBuffer(payload) ? payload : Buffer.from(payload),
      ttlMs,
    });
    return payload;
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

  return { app, cache, shortcuts };
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
