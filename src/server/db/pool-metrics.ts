import type pg from "pg";
import type { Metrics } from "#server/lib/metrics/metrics.ts";

/** How the connections of one process are used. @param process its name, for the label. */
export function addPoolMetrics(metrics: Metrics, pool: pg.Pool, process: string): void {
  metrics.read(
    "gauge",
    "kinora_database_connections",
    "Connections of a process to the database, and requests that wait for one.",
    () => [
      { labels: { process, state: "busy" }, value: pool.totalCount - pool.idleCount },
      { labels: { process, state: "idle" }, value: pool.idleCount },
      { labels: { process, state: "waiting" }, value: pool.waitingCount },
    ],
  );
  metrics.read(
    "gauge",
    "kinora_database_connections_max",
    "The most connections that a process opens, without those of the job queue.",
    () => [{ labels: { process }, value: pool.options.max }],
  );
}
