import { setTimeout as wait } from "node:timers/promises";
import type { Db } from "#server/db/connection.ts";
import { listQueueFigures, type QueueFigures } from "#server/jobs/queue-figures.repository.ts";
import { findLastBackup } from "./last-backup.repository.ts";
import { readWatchState } from "./watch-state.repository.ts";
import { readDiskSpace } from "#server/lib/disk-space.ts";
import { addReading, type Metrics } from "#server/lib/metrics/metrics.ts";

/** Time limit for the database, after which it is reported as unreachable. */
const patienceMs = 2000;

/** Adds metrics of the whole installation and of this machine, read by one process per machine. */
export function addSharedMetrics(metrics: Metrics, deps: { db: Db; dataDir: string }): void {
  const { db, dataDir } = deps;
  let reading: Promise<QueueFigures[] | null> | null = null;

  /** Returns null if there is no response. The gauges of one request share the result. */
  function readQueue(): Promise<QueueFigures[] | null> {
    reading ??= Promise.race([
      listQueueFigures(db).catch(() => null),
      wait(patienceMs, null, { ref: false }),
    ]).finally(() => {
      reading = null;
    });
    return reading;
  }

  addReading(
    metrics,
    "gauge",
    { name: "kinora_database_up", help: "1 if the database responds." },
    async () => [{ value: (await readQueue()) === null ? 0 : 1 }],
  );
  const ofJobs = (name: string, help: string, pick: (figures: QueueFigures) => number) =>
    addReading(metrics, "gauge", { name, help, labelNames: ["job"] }, async () =>
      ((await readQueue()) ?? []).map((figures) => ({
        labels: { job: figures.name },
        value: pick(figures),
      })),
    );
  ofJobs("kinora_jobs_waiting", "Due jobs waiting for a worker.", (job) => job.waiting);
  ofJobs("kinora_jobs_active", "Running jobs.", (job) => job.active);
  ofJobs(
    "kinora_job_oldest_waiting_seconds",
    "Time since the oldest waiting job became due.",
    (job) => job.oldestS,
  );

  addReading(
    metrics,
    "gauge",
    {
      name: "kinora_last_backup_timestamp_seconds",
      help: "Unix time of the last successful npm run admin -- backup; 0 if there is none.",
    },
    async () => [{ value: ((await findLastBackup(db))?.getTime() ?? 0) / 1000 }],
  );

  const ofWatching = (
    name: string,
    help: string,
    pick: (state: Awaited<ReturnType<typeof readWatchState>>) => number,
  ) =>
    addReading(metrics, "gauge", { name, help }, async () => {
      const state = await readWatchState(db);
      return state.isOn ? [{ value: pick(state) }] : [];
    });
  ofWatching(
    "kinora_watched_folder_look_timestamp_seconds",
    "Unix time of the last look into the watched folder that could read it; absent if none is watched.",
    ({ lookedAt }) => (lookedAt?.getTime() ?? 0) / 1000,
  );
  ofWatching(
    "kinora_watched_folder_waiting",
    "Files of the watched folder that rest or wait for their turn.",
    ({ waiting }) => waiting,
  );
  ofWatching(
    "kinora_watched_folder_failed",
    "Files of the watched folder that were refused.",
    ({ failed }) => failed,
  );

  const ofDisk = (
    name: string,
    help: string,
    pick: (space: Awaited<ReturnType<typeof readDiskSpace>>) => number,
  ) =>
    addReading(metrics, "gauge", { name, help }, async () => [
      { value: pick(await readDiskSpace(dataDir)) },
    ]);
  ofDisk("kinora_storage_free_bytes", "Free space in DATA_DIR.", ({ freeBytes }) => freeBytes);
  ofDisk(
    "kinora_storage_size_bytes",
    "Size of the disk that holds DATA_DIR.",
    ({ sizeBytes }) => sizeBytes,
  );
}
