import { join } from "node:path";
import { backupBeforeUpgrade } from "./backup/backup-before-upgrade.ts";
import type { Config } from "./config.ts";
import { changesOf, concerns, type PublishChanges } from "./db/change-tags.ts";
import { createChangeEvents, type ChangeEvents } from "./db/change-events.ts";
import { createPool, pingDatabase, type DatabaseTarget } from "./db/connection.ts";
import { openDatabase, type OpenDatabase } from "./db/open-database.ts";
import { traceQueries } from "./db/query-tracing.ts";
import { addPoolMetrics } from "./db/pool-metrics.ts";
import { databasePoolSize } from "./db/pool-size.ts";
import { createReplica, type Replica } from "./db/replica/replica.ts";
import { getSecret } from "./db/secrets.ts";
import { createCdnPurge } from "./http/cache/cdn-purge.ts";
import { createHttpCore } from "./http/app.ts";
import { createPageTokens } from "./http/access/page-token.ts";
import { createSessionCookies } from "./http/access/session-cookie.ts";
import { createVisitors } from "./http/access/visitors.ts";
import { registerRequestTracing } from "./http/request-tracing.ts";
import { createReadiness } from "./http/readiness.ts";
import { createJobQueue } from "./jobs/queue.ts";
import { systemClock, type Clock } from "./lib/clock.ts";
import type { Logger } from "./lib/logger.ts";
import { createMailer } from "./lib/mailer.ts";
import { createMetrics } from "./lib/metrics/metrics.ts";
import { addProcessMetrics } from "./lib/metrics/process-metrics.ts";
import type { Tracing } from "./lib/tracing/tracing.ts";
import { listOldTools } from "./media/tool-age.ts";
import type { ToolReport } from "./media/find-tools.ts";
import { createMedia, type Media } from "./media/media.ts";
import { processName } from "./processes/child.ts";
import { openStorage } from "./open-storage.ts";

export interface PlatformOptions {
  config: Config;
  logger: Logger;
  clock?: Clock;
  /** Replaces the embedded engine or DATABASE_URL. Used by tests with their own database. */
  target?: DatabaseTarget;
  /**
   * Result of the search for ffmpeg. Tests pass it because the search takes up most of the start.
   */
  toolReport?: ToolReport;
  /** True if the process that started this one has updated the schema. */
  isMigrated?: boolean;
}

/** Loads OpenTelemetry only if its variables contain an endpoint. */
async function openTracing({ tracing }: Config, logger: Logger): Promise<Tracing | null> {
  if (tracing === null) return null;
  const { startTracing } = await import("./lib/tracing/start-tracing.ts");
  return startTracing(tracing, logger);
}

/**
 * Creates the base of the features, once per process. Starts the embedded engine if needed, and
 * updates the schema.
 */
export async function startPlatform(options: PlatformOptions) {
  const { config, logger, clock = systemClock } = options;

  const tracing = await openTracing(config, logger);
  // Finding ffmpeg takes as long as starting the engine, so both run concurrently.
  const mediaReady = createMedia({
    logger,
    env: {
      ...(config.ffmpegPath === null ? {} : { FFMPEG_PATH: config.ffmpegPath }),
      ...(config.ffprobePath === null ? {} : { FFPROBE_PATH: config.ffprobePath }),
      PATH: process.env["PATH"] ?? "",
    },
    workRoot: join(config.dataDir, "media-work"),
    scratchRoot: join(config.dataDir, "storage", "scratch"),
    report: options.toolReport,
    lowersPriority: options.toolReport === undefined,
    tracing,
  });
  const databaseReady = openDatabase(config, logger, {
    ...options,
    tracing,
    maxConnections: databasePoolSize(config.webProcesses),
    beforeUpgrade: (db) => backupBeforeUpgrade(db, { dataDir: config.dataDir, logger }),
  });
  const [database, media] = await Promise.all([databaseReady, mediaReady]).catch(
    (error: unknown) => {
      // The first failure ends the start. A database that is ready later is closed again.
      databaseReady.then((database) => database.close()).catch(() => undefined);
      throw error;
    },
  );
  const { target, listenTarget, pool, db } = database;
  const metrics = createMetrics();
  if (config.metricsPort !== null) {
    addProcessMetrics(metrics, processName(config));
    addPoolMetrics(metrics, pool, processName(config));
  }
  const secret = await getSecret(db);
  const { storage, s3 } = await openStorage(config, db, logger).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  logMediaReport(media.report, logger);
  const queue = await createJobQueue({
    target: config.role === "web" ? target : (listenTarget ?? target),
    hasNotifications: listenTarget !== null,
    logger,
    isWorker: config.role !== "web",
    metrics,
  });
  const sessionCookies = createSessionCookies(secret);
  const http = createHttpCore(config, logger, sessionCookies);
  if (tracing !== null) registerRequestTracing(http.app, tracing);
  // A connection of the pool also listens if possible.
  const listenPool =
    listenTarget === null || listenTarget === target ? null : createPool(listenTarget, 1, logger);
  const changeEvents = createChangeEvents(
    pool,
    logger,
    listenTarget === target ? pool : listenPool,
  );
  changeEvents.onChange((changes) => {
    http.cache.drop(changes);
    // Readers check again by themselves if they miss an object.
    if (concerns(changes, "storage")) storage.refresh().catch(() => undefined);
  });
  const replica = openReplica(config, logger, database, changeEvents, tracing);
  if (config.metricsPort !== null) replica?.addMetrics(metrics, processName(config));
  const cdnPurge =
    config.cdnPurgeUrl === null ? null : createCdnPurge({ url: config.cdnPurgeUrl, logger });

  const changed: PublishChanges = async (tags) => {
    await changeEvents.publish(tags);
    cdnPurge?.add(changesOf(tags));
  };

  return {
    config,
    logger,
    clock,
    db,
    /** Database for public reads, which may be some seconds old: a replica if there is one. */
    reads: replica?.db ?? db,
    storage,
    /** Bucket of this site, even while its media are on disk. */
    s3,
    media,
    queue,
    http,
    visitors: createVisitors(secret),
    sessionCookies,
    pageTokens: createPageTokens({ secret, clock }),
    /** Key that signs cookies and tokens, the same in every process. */
    secret,
    changeEvents,
    /** Reports changes of public data after a commit, so that every process drops its copies. */
    changed,
    mailer: createMailer(config, metrics, logger),
    metrics,
    /** Null if tracing is off. */
    tracing,
    /** Returns whether this process can currently do its work. */
    findReadiness: createReadiness(
      {
        database: () => pingDatabase(pool),
        storage: () => storage.checkHealth(),
        queue: () => queue.isHealthy(),
      },
      () => http.isDraining(),
      logger,
      // A broken connection is the first sign of an unreachable database.
      (expire) => pool.on("error", expire).on("remove", expire),
    ),
    /** Ends jobs within `timeoutMs`, closes the connections, then stops the embedded engine. */
    async stop(timeoutMs: number) {
      await queue.stop(timeoutMs);
      cdnPurge?.stop();
      changeEvents.stop();
      await listenPool?.end();
      await replica?.stop();
      await database.close();
      await tracing?.stop();
    },
  };
}

function logMediaReport(report: Media["report"], logger: Logger): void {
  if (report.line !== null) logger.warn(report.line);
  const oldTools = listOldTools(report.tools, new Date());
  if (oldTools !== null) {
    logger.warn(`${oldTools}: more than a year old. npm run doctor explains how to update`);
  }
  const { level, description, weakness } = report.sandbox;
  if (level === "none") logger.warn(description);
  else if (weakness === null) logger.info(description);
  else logger.warn({ weakness }, `${description}. A stronger sandbox failed its trial`);
}

function openReplica(
  config: Config,
  logger: Logger,
  { pool, queryable, hasPrepared }: OpenDatabase,
  changeEvents: ChangeEvents,
  tracing: Tracing | null,
): Replica | null {
  if (config.databaseReadUrl === null || config.role === "worker") return null;
  const target = { connectionString: config.databaseReadUrl };
  return createReplica({
    primary: pool,
    queryablePrimary: queryable,
    replica: createPool(target, databasePoolSize(config.webProcesses), logger),
    hasPrepared,
    onQuery: tracing === null ? null : traceQueries(tracing),
    maxLagMs: config.databaseReadMaxLagS * 1000,
    findVersion: () => changeEvents.knownVersion(),
    logger,
  });
}
