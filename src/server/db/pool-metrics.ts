import type pg from "pg";
import { addReading, type Metrics } from "#server/lib/metrics/metrics.ts";

/** Adds metrics of a process's connections. @param process its name, for the label. */
export function addPoolMetrics(metrics: Metrics, pool: pg.Pool, process: string): void {
  addReading(
    metrics,
    "gauge",
    {
      name: "kinora_database_connections",
      help: "Database connections of a process, and requests waiting for one.",
      labelNames: ["process", "state"],
    },
    () => [
      { labels: { process, state: "busy" }, value: pool.totalCount - pool.idleCount },
      { labels: { process, state: "idle" }, value: pool.idleCount },
      { labels: { process, state: "waiting" }, value: pool.waitingCount },
    ],
  );
  addReading(
    metrics,
    "gauge",
    {
      name: "kinora_database_connections_max",
      help: "Maximum connections that a process opens, without those of the job queue.",
      labelNames: ["process"],
    },
    () => [{ labels: { process }, value: pool.options.max }],
  );
}
