import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type RawServerDefault,
  type FastifyReply,
} from "fastify";
import {
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from "fastify-type-provider-zod";
import type { Config } from "#server/config.ts";
import { AppError } from "#server/lib/app-error.ts";
import { newToken } from "#server/lib/ids.ts";
import { NotStorableError, parseStorableJson } from "#server/lib/storable-json.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Changes } from "#server/db/change-tags.ts";
import type { AnyJobDefinition } from "#server/jobs/queue.ts";
import { createCacheQuery } from "./cache/cache-query.ts";
import { createResponseCache } from "./cache/response-cache.ts";
import { registerSharedResponses } from "./cache/shared-responses.ts";
import {
  delayContinue,
  refuseAnnouncedBody,
  sendContinue,
  createBodyTimeouts,
  defaultBodyTimes,
} from "./limits/body-timeouts.ts";
import {
  findHeadFault,
  handleClientError,
  noteResponses,
  refuseHead,
  refuseTarget,
  refuseUnsupported,
} from "./client-errors.ts";
import {
  acceptTarget,
  isProgramRequest,
  readQuery,
  targetOf,
  loggedPath,
} from "./request-target.ts";
import { registerVideoGate } from "./access/video-gate.ts";
import { createDoubledHeaderFinder } from "./access/trusted-headers.ts";
import { closePort } from "./close-port.ts";
import { limitConnections, maxConnectionsPerAddress } from "./limits/connection-limit.ts";
import { withoutPorts } from "./limits/network-address.ts";
import { registerErrors, sendError, installValidationTexts } from "./errors.ts";
import { maxPublicBodyBytes } from "./access/policy.ts";
import { baseHeaders, requireTransportSecurity } from "./access/security-headers.ts";
import type { SessionCookies } from "./access/session-cookie.ts";

const summaryEveryMs = 10_000;
const slowMs = 1000;

/**
 * Returns whether the status results from overload or outages, whose cause is logged separately.
 */
const isRefusal = ({ statusCode }: FastifyReply): boolean =>
  statusCode === 429 || statusCode === 503;

/**
 * Logs failures, slow responses and changes by signed-in users. Visitors' calls are only counted in
 * metrics, and refusals share one log line, so that neither can fill a disk.
 */
function registerRequestLog(app: FastifyInstance): void {
  const refused = { tooMany: 0, unavailable: 0 };
  let timer: NodeJS.Timeout | null = null;

  function countRefusal(kind: keyof typeof refused): void {
    refused[kind] += 1;
    timer ??= setTimeout(() => {
      app.log.warn({ ...refused, seconds: summaryEveryMs / 1000 }, "refused requests");
      Object.assign(refused, { tooMany: 0, unavailable: 0 });
      timer = null;
    }, summaryEveryMs).unref();
  }

  app.decorateReply("beganAfterMs", undefined);
  app.addHook("onSend", (_request, reply, _payload, done) => {
    reply.beganAfterMs = reply.elapsedTime;
    done();
  });

  app.addHook("onResponse", (request, reply, done) => {
    const { statusCode: status, beganAfterMs = reply.elapsedTime } = reply;
    const summary = {
      method: request.method,
      url: loggedPath(request.raw),
      status,
      ms: Math.round(beganAfterMs),
    };
    if (isRefusal(reply)) countRefusal(status === 429 ? "tooMany" : "unavailable");
    const isChange = request.method !== "GET" && request.method !== "HEAD";
    const isNotable =
      !isRefusal(reply) &&
      (status >= 500 || beganAfterMs > slowMs || (isChange && request.user != null));
    if (isNotable) request.log.info(summary, "request");
    else request.log.debug(summary, "request");
    done();
  });
}

declare module "fastify" {
  interface FastifyReply {
    /** Time until the response's headers were sent. */
    beganAfterMs: number | undefined;
  }
}

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** Checks requests before the response cache. */
interface Screen {
  /** @returns true if it has responded. */
  screen(request: IncomingMessage, response: ServerResponse): boolean;
  /** Returns whether the requester may not see this video. */
  isBlocked(request: IncomingMessage, videoId: string): boolean;
  /** Returns whether responses differ between visitors, so that a CDN must not cache them. */
  hasActiveRules(): boolean;
}

/**
 * Browsers always revalidate their copy. A CDN serves its copy for `cdnMaxAgeS`, and then for up to
 * the same time again while it fetches a new one.
 */
const sharedCacheControl = (cdnMaxAgeS: number): string =>
  cdnMaxAgeS === 0
    ? "no-cache"
    : `public, max-age=0, s-maxage=${cdnMaxAgeS}, stale-while-revalidate=${cdnMaxAgeS}`;

const encodeLocation = (address: string): string =>
  address.toWellFormed().replace(/[^!-~]+/g, encodeURIComponent);

const ownHeader = "x-own-request";

/**
 * Percent-encodes non-ASCII addresses, because headers can only contain ASCII. Browsers revalidate
 * permanent redirects, because a renamed video or another language of the site may be changed back.
 */
function completeRedirects(app: App): void {
  app.addHook("onSend", (_request, reply, payload, done) => {
    const location = reply.getHeader("location");
    if (typeof location === "string") {
      void reply.header("location", encodeLocation(location));
      if (!reply.hasHeader("cache-control")) void reply.header("cache-control", "no-cache");
    }
    done(null, payload);
  });
}

/** Parses JSON bodies. Calls without a body may still send Content-Type: application/json. */
function acceptJson(app: App): void {
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, text, done) => {
    if (text === "") return done(null, undefined);
    try {
      done(null, parseStorableJson(String(text), request.routeOptions.config?.maxJsonValues));
    } catch (error) {
      const isKnown = error instanceof NotStorableError;
      done(new AppError("invalid", isKnown ? error.message : "The request body isn't valid JSON."));
    }
  });
}

/** Creates the server in front of the framework. `handle` gets only requests with valid headers. */
function createSiteServer(
  { trustProxy, webProcesses }: Config,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  const server = createServer(
    {
      keepAliveTimeout: 65_000,
      headersTimeout: 30_000,
      // Body timeouts are set per route.
      requestTimeout: 0,
      // Checked below, with the usual error response.
      requireHostHeader: false,
    },
    (request, response) => {
      requireTransportSecurity(request, response, trustProxy.length > 0);
      const headFault = findHeadFault(request);
      if (headFault !== null) return refuseHead(response, "invalid", headFault);
      handle(request, response);
    },
  );
  noteResponses(server);
  refuseUnsupported(server);
  delayContinue(server);
  // The kernel distributes an address's connections among the processes.
  limitConnections(server, trustProxy, Math.ceil(maxConnectionsPerAddress / webProcesses));
  return server;
}

/** Handles requests before the framework, or passes them to `next`. */
type RequestFilter = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (request: IncomingMessage, response: ServerResponse) => void,
) => void;

/** Creates the framework with validation from schemas, ids for requests, and error responses. */
function createFramework(config: Config, logger: Logger, filterRequest: RequestFilter): App {
  // Uses the plain type, because the framework's types depend on the logger's.
  const baseLogger: FastifyBaseLogger = logger;
  const app: App = Fastify({
    loggerInstance: baseLogger,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: "requestId",
    }),
    genReqId: () => newToken(9),
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    // Policies raise the limit for the back office. Addresses without a route also accept bodies.
    bodyLimit: maxPublicBodyBytes,
    // A page has the same path in every language.
    rewriteUrl: (request) => targetOf(request).url,
    // Slugs in other scripts are percent-encoded. With the default of 100 they would get 414.
    routerOptions: {
      maxParamLength: 1000,
      ignoreTrailingSlash: true,
      querystringParser: readQuery,
    },
    forceCloseConnections: "idle",
    // Requests on open connections are still served while the app closes.
    return503OnClosing: false,
    clientErrorHandler: handleClientError,
    // Addresses that can't be decoded count as unknown.
    frameworkErrors: (_error, request, reply) => {
      void reply.headers({ ...baseHeaders, "x-request-id": request.id });
      sendError(request, reply, new AppError("not_found", "There is nothing at this address."));
    },
    serverFactory: (handler) =>
      createSiteServer(config, (request, response) => filterRequest(request, response, handler)),
  }).withTypeProvider<ZodTypeProvider>();

  installValidationTexts();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  // Registered first, so that every refusal includes the request id, and before any address is read.
  app.addHook("onRequest", (request, reply, done) => {
    void reply.header("x-request-id", request.id);
    const { headers } = request.raw;
    const forwardedFor = headers["x-forwarded-for"];
    if (forwardedFor !== undefined) headers["x-forwarded-for"] = withoutPorts(String(forwardedFor));
    done();
  });
  registerErrors(app);
  completeRedirects(app);
  acceptJson(app);
  // For example, too many files are open to accept a connection.
  app.addHook("onListen", async () => {
    app.server.on("error", (error) => logger.warn({ err: error }, "couldn't accept a connection"));
  });
  return app;
}

/** Creates the HTTP application without guards and routes: framework, response cache, errors. */
export function createHttpCore(
  config: Config,
  logger: Logger,
  sessionCookies: SessionCookies,
  bodyTimes = defaultBodyTimes,
) {
  let isOpen = true;
  let isDraining = false;
  let screen: Screen | null = null;
  const bodyTimeouts = createBodyTimeouts(bodyTimes);
  let connectionsEnded: Promise<unknown> = Promise.resolve();

  // The site's own requests have no country.
  const ownToken = newToken();
  const isOwn = ({ headers }: IncomingMessage) => headers[ownHeader] === ownToken;

  const findDoubledHeader = createDoubledHeaderFinder(config.geoHeader);
  /** Query names of cacheable addresses. Those of API calls come from their schemas. */
  const cacheQuery = createCacheQuery();
  const cache = createResponseCache({
    now: () => performance.now(),
    keyOf: (url) => cacheQuery.keyOf(url),
    refresh: async (url) => {
      // Bypasses this cache and uses the encoding that most clients accept, so that the next
      // request waits for neither. The address belongs to no client, so it takes up no client's
      // share.
      const headers = { "accept-encoding": "br", [ownHeader]: ownToken };
      if (isOpen) await app.inject({ method: "GET", url, headers, remoteAddress: "::" });
    },
    canServe: (request, videoIds) =>
      !videoIds.some((id) => screen?.isBlocked(request, id) === true),
  });

  const isCacheable = ({ method }: IncomingMessage) =>
    config.responseCache && (method === "GET" || method === "HEAD");

  const app = createFramework(config, logger, (request, response, next) => {
    const fault = findDoubledHeader(request) ?? acceptTarget(request);
    if (fault !== null) return refuseTarget(response, fault, isProgramRequest(request));
    if (isDraining) response.setHeader("connection", "close");
    bodyTimeouts.watch(request, response);
    const session = sessionCookies.stateOf(request.headers);
    if (session !== "signed" && screen?.screen(request, response) === true) return;
    const canUseCache = isCacheable(request) && session !== "signed";
    if (canUseCache && cache.tryServe(request, response)) return;
    next(request, response);
  });

  // A later refresh would query a closed database.
  app.addHook("preClose", async () => {
    isOpen = false;
    isDraining = true;
  });
  /** Returns the `Cache-Control` of responses that are the same for every visitor. */
  const cacheControl = () =>
    screen?.hasActiveRules() === true ? "private, no-cache" : sharedCacheControl(config.cdnMaxAgeS);
  const responses = registerSharedResponses(app, {
    cache,
    cacheQuery,
    sessionCookies,
    isCacheable,
    cacheControl,
    hasCacheTags: config.cdnPurgeUrl !== null,
  });
  // Runs after the guards, so that only permitted uploads get the long timeout.
  app.addHook("preParsing", (request, reply, payload, done) => {
    refuseAnnouncedBody(request);
    sendContinue(request, reply);
    if (request.routeOptions.config?.isUpload === true) {
      bodyTimeouts.expectUpload(request.raw, reply.raw);
    }
    done(null, payload);
  });

  registerRequestLog(app);

  return {
    app,
    cache,
    cacheQuery,
    cacheControl,
    /**
     * Lets visitors' requests fill the cache, wait for each other's responses, and use the cache
     * with an expired session cookie. Call it after the guards.
     */
    shareResponses(): void {
      app.addHook("onRequest", (request, reply, done) => {
        // An expired session counts as none. The cookie alone didn't show that it had expired.
        const isScreened = request.user === null && !isOwn(request.raw);
        if (!isScreened || screen?.screen(request.raw, reply.raw) !== true) return done();
        reply.hijack();
      });
      registerVideoGate(
        app,
        ({ user, raw }, videoId) =>
          user === null && !isOwn(raw) && screen?.isBlocked(raw, videoId) === true,
      );
      responses.share();
    },
    /** Adds a check before the cache. Users with a session bypass it. */
    screenRequests(next: Screen): void {
      screen = next;
    },
    /**
     * Makes each response close its connection, so that clients and proxies move to another
     * process. `/readyz` also reports it. Call it a moment before closing the app.
     */
    drain(): void {
      isDraining = true;
    },
    isDraining: (): boolean => isDraining,
    /** Refuses new connections. Open ones are served until the app is closed. */
    async closePort(): Promise<void> {
      connectionsEnded = (await closePort(app.server)).ended;
    },
    /**
     * Closes the app. Resolves once the last response has been sent and its connection has ended.
     */
    async close(): Promise<void> {
      // Event streams end here, because the framework doesn't wait for connections of a closed
      // port.
      await app.close();
      await connectionsEnded;
    },
  };
}

export type HttpCore = ReturnType<typeof createHttpCore>;

/**
 * Part of the product, as returned by its `createXFeature` factory: its services, and everything
 * the server must register, run and close. Every member is optional.
 */
export interface Feature {
  /** Updates stored state before the first request. */
  start?(): Promise<void>;
  registerRoutes?(app: App): void | Promise<void>;
  /** Background jobs with their schedules. */
  jobs?: readonly AnyJobDefinition[];
  /** Queues unfinished work that has no job, for example after a crash or a restore. */
  requeue?(): Promise<void>;
  /** Drops cached data after content changed, in this or another process. */
  invalidate?(changes: Changes): void;
  /** Writes buffered data. Called after the last request. */
  drain?(): Promise<void>;
}
