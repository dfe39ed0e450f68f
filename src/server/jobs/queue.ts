import { setTimeout as wait } from "node:timers/promises";
import { CompiledQuery } from "kysely";
import { PgBoss, type ConstructorOptions, type SendOptions } from "pg-boss";
import { Histogram } from "prom-client";
import { z } from "zod";
import {
  connectionOptions,
  isDatabaseUnreachable,
  keepAliveInitialDelayMillis,
  type DatabaseTarget,
  type Db,
  type DbOrTrx,
} from "#server/db/connection.ts";
import { warnLimited, type Logger } from "#server/lib/logger.ts";
import { createMetrics, type Metrics } from "#server/lib/metrics/metrics.ts";
import { runAll } from "#server/lib/run-all.ts";
import type { Tracing } from "#server/lib/tracing/tracing.ts";

/** All kinds of jobs. The start fails if one has no handler. */
export const jobNames = [
  "video.clip",
  "video.publish",
  "video.encode",
  "video.encode-long",
  "video.finish",
  "video.large",
  "video.captions",
  "video.efficient",
  "video.drop-original",
  "captions.index",
  "maintenance.sweep",
  "maintenance.orphans",
  "jobs.requeue",
  "ranking.upkeep",
  "search.upkeep",
  "tallies.upkeep",
  "history.upkeep",
  "related.choose",
  "media.withdraw",
  "media.review",
  "podcast.files",
  "uploads.sweep",
  "bulk.run",
  "import.run",
  "import.watch",
  "library.publish-scheduled",
  "library.empty-trash",
  "account.delete-expired",
  "account.send-reset",
  "account.notify-owners",
  "moderation.ask-sender",
  "moderation.tell-sender",
  "privacy.delete-outdated",
  "passes.end",
  "webhooks.deliver",
] as const;
export type JobName = (typeof jobNames)[number];

/** Context of a job. When the signal fires, the job stops and runs again later. */
export interface JobContext {
  signal: AbortSignal;
}

/**
 * Kind of job: a name, its payload (ids only) and its handler. Handlers are idempotent, because a
 * job starts over if its worker dies. Handlers deal with failures of their subject themselves. An
 * error they throw only means "run me again later".
 */
export interface JobDefinition<Payload> {
  name: JobName;
  payload: z.ZodType<Payload>;
  /** Number of concurrent jobs per process. */
  concurrency: number;
  /** Set only for a job that repeats by itself. The payload of such a job is empty. */
  schedule?: JobSchedule;
  run(payload: Payload, context: JobContext): Promise<void>;
}

interface JobSchedule {
  /** Cron expression for when the job repeats, once per installation. */
  cron: string;
  /** True to also run once when a worker starts. */
  runsAtStart?: boolean;
}

/** Definition without its payload type, so that a list can contain different kinds. */
export interface AnyJobDefinition {
  name: JobName;
  concurrency: number;
  schedule?: JobSchedule;
  run(data: unknown, context: JobContext): Promise<void>;
}

export function defineJob<Payload>(definition: JobDefinition<Payload>): AnyJobDefinition {
  return {
    name: definition.name,
    concurrency: definition.concurrency,
    ...(definition.schedule === undefined ? {} : { schedule: definition.schedule }),
    run: (data, context) => definition.run(definition.payload.parse(data), context),
  };
}

/** Creates the job that runs these steps, each of which queues unfinished work that has no job. */
export const createRequeueJob = (steps: readonly (() => Promise<void>)[]): AnyJobDefinition =>
  defineJob({
    name: "jobs.requeue",
    payload: z.object({}),
    concurrency: 1,
    schedule: { cron: "*/10 * * * *", runsAtStart: true },
    run: () => runAll(steps),
  });

/** Wraps a job with a span around each run. */
export const traceJob =
  (tracing: Tracing) =>
  (job: AnyJobDefinition): AnyJobDefinition => ({
    ...job,
    run: (data, context) =>
      tracing.run(
        { name: job.name, kind: "consumer", attributes: { "kinora.job": job.name } },
        () => job.run(data, context),
      ),
  });

const durationsS = [0.1, 0.5, 1, 5, 15, 60, 300, 1200, 3600];

/** Lanes fetch when they are woken. They also poll, in case looking fails again and again. */
const lanePollS = 600;

/** Names of queues with a job that could run now. */
const selectDue = `
  select name from unnest($1::text[]) as names (name)
  where exists (select from pgboss.job where job.name = names.name and state < 'active'
    and not blocked and start_after <= now())`;

/**
 * Runs jobs in this process. Counts and logs each failure.
 *
 * Each lane of pg-boss polls by itself. Looking for all of them with one statement saves
 * an idle site 250 statements a minute, and finds delayed jobs within 3 s instead of 10.
 * @param lookEveryMs time between two looks for due jobs that nobody notified about.
 */
function createJobRunner(
  boss: PgBoss,
  logger: Logger,
  { metrics, lookEveryMs }: { metrics: Metrics; lookEveryMs: number },
) {
  const runs = new Histogram({
    name: "kinora_job_duration_seconds",
    help: "Job runs in this process. A stopped job runs again later.",
    labelNames: ["job", "result"],
    buckets: durationsS,
    registers: [metrics],
  });
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const lanes: { name: JobName; workerId: string }[] = [];
  let timer: NodeJS.Timeout | null = null;
  let turn = Promise.resolve();

  /**
   * Starts a job that repeats by itself after the previous one has ended, or after a second. Many
   * repeat every minute, and would otherwise each keep a database connection of about 5 MB.
   */
  async function runInTurn(run: () => Promise<void>): Promise<void> {
    const previous = turn;
    const handling = previous.then(run);
    const isOver = handling.catch(() => undefined);
    turn = previous.then(() => Promise.race([isOver, wait(1000, undefined, { ref: false })]));
    await handling;
  }

  function lookLater(): void {
    if (!stopping.signal.aborted) timer = setTimeout(() => void look(), lookEveryMs).unref();
  }

  async function look(): Promise<void> {
    try {
      const { rows } = await boss.getDb().executeSql(selectDue, [jobNames]);
      const due = new Set(rows.map(({ name }: { name: JobName }) => name));
      for (const { name, workerId } of lanes) if (due.has(name)) boss.notifyWorker(workerId);
    } catch (error) {
      if (!stopping.signal.aborted)
        warnLimited(logger, "due jobs", { err: error }, "couldn't look for due jobs");
    }
    lookLater();
  }

  async function run(
    definition: AnyJobDefinition,
    job: { data: unknown; signal: AbortSignal },
  ): Promise<void> {
    const signal = AbortSignal.any([stopping.signal, job.signal]);
    let startedAt = performance.now();
    const handle = () => {
      startedAt = performance.now();
      return definition.run(job.data, { signal });
    };
    const handling = definition.schedule === undefined ? handle() : runInTurn(handle);
    const settled = handling.catch(() => undefined);
    running.add(settled);
    let result = "completed";
    try {
      await handling;
    } catch (error) {
      result = signal.aborted ? "stopped" : "failed";
      const about = { err: error, job: definition.name, data: job.data };
      if (isDatabaseUnreachable(error)) warnLimited(logger, "job", about, "job failed");
      else if (!stopping.signal.aborted) logger.error(about, "job failed");
      throw error;
    } finally {
      running.delete(settled);
      runs.observe({ job: definition.name, result }, (performance.now() - startedAt) / 1000);
    }
  }

  return {
    /** Starts a worker that runs jobs of one kind, one after another. */
    async startLane(definition: AnyJobDefinition): Promise<void> {
      let workerId: string | null = null;
      workerId = await boss.work(
        definition.name,
        {
          batchSize: 1,
          localConcurrency: 1,
          pollingIntervalSeconds: lanePollS,
          notifyPollingIntervalSeconds: lanePollS,
          heartbeatRefreshSeconds: 3,
        },
        async (jobs) => {
          try {
            for (const job of jobs) await run(definition, job);
          } finally {
            // Requests the next job at once, without waiting for the next look.
            if (workerId !== null && !stopping.signal.aborted) boss.notifyWorker(workerId);
          }
        },
      );
      lanes.push({ name: definition.name, workerId });
      if (timer === null) lookLater();
    },

    /** Aborts running jobs and waits up to `timeoutMs` for their handlers. */
    async stop(timeoutMs: number): Promise<void> {
      // Ends handlers early. pg-boss records that their jobs must run again.
      stopping.abort();
      if (timer !== null) clearTimeout(timer);
      const deadline = new Promise<void>((resolve) => setTimeout(resolve, timeoutMs).unref());
      await Promise.race([Promise.all(running), deadline]);
    },
  };
}

interface EnqueueOptions {
  /** At most one job with this key may be waiting or running. Others are dropped. */
  key?: string;
  /** Jobs with a higher priority run first. */
  priority?: number;
  startAfterS?: number;
}

/**
 * Retries practically forever. If a worker dies, its heartbeat stops and its jobs run again
 * elsewhere, which isn't a failure of the job. Handlers count real failures themselves.
 */
const queueOptions = {
  retryLimit: 1_000_000,
  retryDelay: 2,
  heartbeatSeconds: 15,
  // Maximum that pg-boss allows. After that, the job starts over.
  expireInSeconds: 24 * 3600,
  // Low-priority jobs may wait for months. pg-boss silently deletes jobs that wait longer than this.
  retentionSeconds: 365 * 24 * 3600,
  // Nothing reads finished jobs.
  deleteAfterSeconds: 24 * 3600,
  notify: true,
} as const;

const connectionLimits = {
  // The queue's statements are short. Without a limit, they would wait forever for a lost server.
  query_timeout: 60_000,
  keepAlive: true,
  keepAliveInitialDelayMillis,
  // Jobs that repeat every minute would otherwise open several connections each time.
  idleTimeoutMillis: 120_000,
};

const unfinishedStates: ReadonlySet<string> = new Set(["created", "retry", "active"]);

/** Lets pg-boss write in a Kysely transaction. */
function through(db: DbOrTrx): NonNullable<SendOptions["db"]> {
  return {
    async executeSql(text, values = []) {
      const { rows } = await db.executeQuery(CompiledQuery.raw(text, [...values]));
      return { rows };
    },
  };
}

/** Jobs that earlier releases repeated. Their schedules are still in the database. */
const retiredSchedules = ["ads.mail-reports", "processing.requeue"];

export async function createJobQueue(deps: {
  target: DatabaseTarget;
  logger: Logger;
  isWorker: boolean;
  /** False behind a pooler. Workers then look for new jobs every second. */
  hasNotifications?: boolean;
  metrics?: Metrics;
}) {
  const { target, logger, isWorker, hasNotifications = true, metrics = createMetrics() } = deps;
  const connection: ConstructorOptions = { ...connectionOptions(target), ...connectionLimits };
  const boss = new PgBoss({
    ...connection,
    application_name: "kinora jobs",
    max: isWorker ? 3 : 1,
    supervise: isWorker,
    schedule: isWorker,
    // A new job wakes a worker at once. Looking for due jobs is the fallback.
    useListenNotify: isWorker && hasNotifications,
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
    // Time between two looks for repeated jobs, which are due at full minutes.
    cronWorkerIntervalSeconds: 15,
    // Its warnings aren't shown anywhere.
    monitorVacuum: false,
    // No job depends on another.
    flowIntervalSeconds: 3600,
  });
  boss.on("error", (error) => {
    // Each kind of job reports an outage, and the message contains its name.
    const cause = `job queue ${"code" in error ? String(error.code) : ""}`;
    warnLimited(logger, cause, { err: error }, "job queue");
  });
  await boss.start();
  for (const name of jobNames) {
    await boss.createQueue(name, { ...queueOptions, policy: "exclusive" });
    // Queues that exist keep the options of the release that created them.
    await boss.updateQueue(name, queueOptions);
  }
  const runner = createJobRunner(boss, logger, {
    metrics,
    // A dead worker's job waits 30 s at most: 15 for its heartbeat, 10 until pg-boss looks at
    // heartbeats, 2 until the retry and 3 until this look.
    lookEveryMs: hasNotifications ? 3000 : 1000,
  });

  const queue = {
    /** Adds a job in the caller's transaction, so that both are committed or neither. */
    async enqueue(
      db: DbOrTrx,
      name: JobName,
      payload: object,
      options: EnqueueOptions = {},
    ): Promise<void> {
      await boss.send(name, payload, {
        db: through(db),
        singletonKey: options.key ?? crypto.randomUUID(),
        ...(options.priority === undefined ? {} : { priority: options.priority }),
        ...(options.startAfterS === undefined ? {} : { startAfter: options.startAfterS }),
      });
    },

    /** Returns whether a job with one of these names and this payload is waiting or running. */
    async hasUnfinished(names: readonly JobName[], payload: object): Promise<boolean> {
      for (const name of names) {
        const jobs = await boss.findJobs(name, { data: payload });
        if (jobs.some(({ state }) => unfinishedStates.has(state))) return true;
      }
      return false;
    },

    /** Starts running jobs in this process. */
    async work(definitions: readonly AnyJobDefinition[]): Promise<void> {
      const missing = jobNames.find((name) => !definitions.some((job) => job.name === name));
      if (missing !== undefined) throw new Error(`Job ${missing} has no handler`);
      const names = definitions.map((job) => job.name);
      const twice = names.find((name, at) => names.indexOf(name) !== at);
      if (twice !== undefined) throw new Error(`Job ${twice} has two handlers`);

      for (const definition of definitions) {
        for (let lane = 0; lane < definition.concurrency; lane += 1)
          await runner.startLane(definition);
      }
    },

    /** Starts the schedules of all definitions that have one. */
    async startSchedules(db: DbOrTrx, definitions: readonly AnyJobDefinition[]): Promise<void> {
      for (const name of retiredSchedules) await boss.unschedule(name);
      for (const { name, schedule } of definitions) {
        if (schedule === undefined) continue;
        // The cause of a failure may last, such as a missing permission, and the work may be
        // expensive. A waiting retry delays the next run, so jobs that run every minute retry after
        // at most a minute.
        const retryDelayMax = schedule.cron.startsWith("* ") ? 60 : longestS;
        await boss.updateQueue(name, { retryBackoff: true, retryDelayMax });
        await boss.schedule(name, schedule.cron, {}, { singletonKey: name });
        if (schedule.runsAtStart === true) await queue.enqueue(db, name, {}, { key: "at-start" });
      }
    },

    /**
     * Aborts running jobs and waits up to `timeoutMs` for their handlers. The jobs run again later.
     */
    async stop(timeoutMs: number): Promise<void> {
      await runner.stop(timeoutMs);
      await boss.stop({ graceful: true, timeout: 1000, close: true });
    },

    async isHealthy(): Promise<boolean> {
      try {
        await boss.getQueue("video.publish");
        return true;
      } catch {
        return false;
      }
    },
  };
  return queue;
}

export type JobQueue = Awaited<ReturnType<typeof createJobQueue>>;

const firstS = 5;
/** Longest pause between two attempts after an external failure. */
const longestS = 600;

/**
 * Returns the pause before the next attempt, in seconds. Each pause is twice as long as the last.
 */
export const backOffS = (waits: number): number =>
  Math.min(longestS, firstS * 2 ** Math.min(waits, 10));

/** Queues the next attempt of a video's job that is still running. */
export function queueAgain(
  { db, queue }: { db: Db; queue: JobQueue },
  name: "video.captions" | "video.drop-original" | "video.efficient",
  { videoId, waits }: { videoId: string; waits: number },
  startAfterS: number,
): Promise<void> {
  const again = { videoId, waits: waits + 1 };
  // Differs from the key of the running job.
  const key = `${videoId}/${again.waits % 2}`;
  return queue.enqueue(db, name, again, { key, startAfterS });
}
