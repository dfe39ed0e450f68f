import cluster from "node:cluster";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Config } from "./config.ts";
import { createContext, type Context } from "./context.ts";
import { logConsole, type Logger } from "./lib/logger.ts";
import { sendMetricsToPrimary } from "./processes/child-metrics.ts";
import { startOperationsServer, type OperationsServer } from "./processes/operations-server.ts";
import { isFirstProcess, reportReady, processName } from "./processes/child.ts";
import { explainListenError, siteAddress, metricsAddress } from "./processes/listen-address.ts";
import { createSay, type Say } from "./processes/say.ts";
import { stopOnSignals } from "./processes/stop-on-signals.ts";
import { createPageRenderer } from "./site/pages/create-page-renderer.ts";
import type { AnyJobDefinition } from "./jobs/queue.ts";
import { targetOf } from "./http/request-target.ts";
import { addSharedMetrics } from "./processes/shared-metrics.ts";
import { registerSessions } from "./features/auth/session-hook.ts";
import { registerHealth } from "./http/health.routes.ts";
import { registerHttpMetrics } from "./http/http-metrics.ts";
import { registerIdempotency } from "./http/idempotency.ts";
import { registerOpenApi, registerOpenApiRoutes } from "./http/openapi.ts";
import { registerPolicies, type RegisteredRoute } from "./http/access/policy.ts";
import { registerWriteLimits } from "./http/limits/write-limits.ts";
import { registerSameOrigin } from "./http/access/same-origin.ts";
import { registerSecurityHeaders } from "./http/access/security-headers.ts";
import { createReadSemaphore, registerReadLimit } from "./http/limits/read-limit.ts";
import { createSiteFeature, type BuiltSite } from "./site/site.feature.ts";

/**
 * Registers the guards, then the routes of every feature, then the site. Serves no pages without a
 * built site, as in tests of the API.
 * @returns all routes with their policies.
 */
export async function registerEverything(
  context: Context,
  site: BuiltSite | null,
): Promise<RegisteredRoute[]> {
  const { http, config, metrics } = context;
  const { app } = http;

  if (config.metricsPort !== null) registerHttpMetrics(http, metrics, processName(config));

  registerReadLimit(app, createReadSemaphore(config.webProcesses));
  registerSecurityHeaders(app);
  registerSessions(app, context);
  registerSameOrigin(app);
  // Policies read the user, so they run after the sessions.
  const routes = registerPolicies(app);
  if (config.writeLimits) await registerWriteLimits(app, context);
  http.shareResponses();
  registerIdempotency(app, context);
  await registerOpenApi(app);

  registerHealth(app, context.findReadiness);
  for (const feature of context.features) await feature.registerRoutes?.(app);
  await createSiteFeature({ ...context, services: context, site }).registerRoutes(app);
  registerOpenApiRoutes(app);

  await app.ready();
  return routes;
}

export interface ServerOptions {
  /** Changes a job before this process runs it. */
  adaptJob?: (job: AnyJobDefinition) => AnyJobDefinition;
  /**
   * Called in the job process when the server accepts requests. The signal fires when it starts to
   * stop.
   */
  onReady?: (server: { context: Context; say: Say; signal: AbortSignal }) => Promise<void>;
}

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Returns the time that clients have to close their connections before the port is closed: with
 * `DRAIN_SECONDS`, longer than a proxy keeps an idle connection, which deploy/nginx sets to 1 s.
 */
const drainDelayMs = (drainS: number): number => Math.min(5000, Math.max(300, drainS * 250));
/** Time for running jobs after a signal, before they are queued again. */
const jobsStopMs = 3000;

/** Serves requests, runs jobs, or both, depending on the role of this process. */
export async function serve(
  config: Config,
  logger: Logger,
  { adaptJob = (job) => job, onReady }: ServerOptions,
): Promise<void> {
  // In development, the console belongs to Vite.
  if (config.mode === "production") logConsole(logger);
  const context = await createContext({ config, logger, isMigrated: cluster.isWorker });

  const say = createSay(config);
  let operations: OperationsServer | null = null;
  // Registered before the port opens, so that a signal during the start still ends cleanly.
  const signal = stopOnSignals({
    logger,
    say,
    stop: () => stop(context, operations),
    drainS: config.drainS,
  });
  try {
    if (config.admin !== null && isFirstProcess()) {
      const { email, password } = config.admin;
      const result = await context.auth.accounts.ensureAdmin(email, password);
      if (result === "created") logger.info("admin account created from the environment");
    }
    if (cluster.isPrimary) operations = await startOperations(context);
    if (cluster.isWorker) sendMetricsToPrimary(context.metrics);
    if (config.role !== "worker") await listen(context);
    if (config.role !== "web") {
      await context.queue.work(context.jobs.map(adaptJob));
      await context.queue.startSchedules(context.db, context.jobs);
    }
  } catch (error) {
    // After a signal, the start may fail because what it uses is being closed.
    if (!signal.aborted) throw error;
  }
  if (signal.aborted) return;
  // Frees 25 MB of garbage from the start. V8 collects only while it allocates, so an idle site would
  // never free it.
  globalThis.gc?.({ type: "major", flavor: "last-resort" });
  reportReady();

  if (isFirstProcess()) await sayReady(context, say);
  if (cluster.isPrimary || config.role === "worker") await onReady?.({ context, say, signal });
}

/**
 * Starts the operations server of a process that is alone on its machine. Returns null if no port
 * is configured.
 */
export async function startOperations(context: Context): Promise<OperationsServer | null> {
  const { config, db, metrics, findReadiness } = context;
  const address = metricsAddress(config);
  if (address === null) return null;
  addSharedMetrics(metrics, { db, dataDir: config.dataDir });
  return startOperationsServer(address, {
    "/metrics": async () => ({
      status: 200,
      type: metrics.contentType,
      body: await metrics.metrics(),
    }),
    "/readyz": async () => {
      const readiness = await findReadiness();
      return {
        status: readiness.status === "ok" ? 200 : 503,
        type: "application/json",
        body: JSON.stringify(readiness),
      };
    },
  });
}

async function stop(context: Context, operations: OperationsServer | null): Promise<void> {
  context.http.drain();
  const { role, drainS } = context.config;
  if (role !== "worker") {
    await wait(drainDelayMs(drainS));
    await context.http.closePort();
  }
  await context.stop(jobsStopMs);
  operations?.close();
}

async function sayReady(context: Context, say: Say): Promise<void> {
  if (context.config.role === "worker") return say("Kinora worker is ready.");
  const url = shownUrl(context);
  say(`Kinora is ready at ${url}`);
  const token = await context.auth.issueSetupToken();
  if (token !== null) {
    say(`No admin yet. Create the first one here, once, within a day: ${url}/setup?token=${token}`);
  }
}

async function listen(context: Context): Promise<void> {
  const { config, http } = context;
  const { app } = http;
  const renderer = await createPageRenderer({ mode: config.mode, root, httpServer: app.server });
  const { middleware } = renderer;
  if (middleware !== undefined) {
    app.addHook("onRequest", (request, reply, done) => {
      if (/^\/(?:api|media)\//.test(targetOf(request.raw).path)) return done();
      middleware(request.raw, reply.raw, (error) =>
        done(error instanceof Error ? error : undefined),
      );
    });
  }
  // Before the server closes, because it waits for the connections of hot reload.
  app.addHook("preClose", () => renderer.close());
  await registerEverything(context, { renderer, clientDir: join(root, "dist/client") });
  const address = siteAddress(config);
  // Each of several processes has its own queue of connections, which it empties before it stops.
  const listener = { port: address.port, host: address.host, reusePort: cluster.isWorker };
  await app.listen(listener).catch((error: unknown) => {
    throw explainListenError(error, address);
  });
}

/** Returns the address to open: the configured one, or localhost with the actual port. */
function shownUrl({ config, http }: { config: Config; http: Context["http"] }): string {
  if (!config.siteUrl.startsWith("http://localhost")) return config.siteUrl;
  const address = http.app.server.address();
  const port = typeof address === "object" && address !== null ? address.port : config.port;
  return `http://localhost:${port}`;
}
