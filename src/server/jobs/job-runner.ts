import type { PgBoss } from "pg-boss";
import { Histogram } from "prom-client";
import { isDatabaseUnreachable } from "#server/db/connection.ts";
import { warnLimited } from "#server/lib/limited-log.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Metrics } from "#server/lib/metrics/metrics.ts";
import type { AnyJobDefinition } from "./job-definition.ts";

const durationsS = [0.1, 0.5, 1, 5, 15, 60, 300, 1200, 3600];

/** Runs jobs in this process. Counts and logs each failure. */
export function createJobRunner(boss: PgBoss, logger: Logger, metrics: Metrics) {
  const runs = new Histogram({
    name: "kinora_job_duration_seconds",
    help: "Job runs in this process. A stopped job runs again later.",
    labelNames: ["job", "result"],
    buckets: durationsS,
    registers: [metrics],
  });
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();

  async function run(
    definition: AnyJobDefinition,
    job: { data: unknown; signal: AbortSignal },
  ): Promise<void> {
    const signal = AbortSignal.any([stopping.signal, job.signal]);
    const handling = definition.run(job.data, { signal });
    const settled = handling.catch(() => undefined);
    running.add(settled);
    const startedAt = performance.now();
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
          pollingIntervalSeconds: 1,
          notifyPollingIntervalSeconds: 5,
          heartbeatRefreshSeconds: 3,
        },
        async (jobs) => {
          try {
            for (const job of jobs) await run(definition, job);
          } finally {
            // Requests the next job at once. Otherwise a lane would start one job every five
            // seconds.
            if (workerId !== null && !stopping.signal.aborted) boss.notifyWorker(workerId);
          }
        },
      );
    },

    /** Aborts running jobs and waits up to `timeoutMs` for their handlers. */
    async stop(timeoutMs: number): Promise<void> {
      // Ends handlers early. pg-boss records that their jobs must run again.
      stopping.abort();
      const deadline = new Promise<void>((resolve) => setTimeout(resolve, timeoutMs).unref());
      await Promise.race([Promise.all(running), deadline]);
    },
  };
}
