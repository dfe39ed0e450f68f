import { setTimeout as wait } from "node:timers/promises";
import type { LogEvent, PostgresPool } from "kysely";
import type pg from "pg";
import { warnLimited, type Logger } from "#server/lib/logger.ts";
import { addReading, type Metrics } from "#server/lib/metrics/metrics.ts";
import { createDbOn, queryablePool } from "../connection.ts";
import { createReadPool } from "./read-pool.ts";

/** Reports of a replica and its primary, each at a time of this process's clock. */
interface ReplicaReport {
  /** Position up to which the replica has replayed the log, in bytes. */
  replayed: number;
  /** Version of the content on the replica. */
  version: number;
}

interface Mark {
  written: number;
  atMs: number;
}

/** Decides from measurements whether reads may use a replica. */
export function createReplicaState(maxLagMs: number) {
  /** Positions that the replica hasn't reached yet, and the last one that it has. */
  let marks: Mark[] = [];
  let reachedAtMs = -Infinity;
  let version = -Infinity;

  /** Returns the maximum lag of a read that starts now; Infinity if unknown. */
  const lagMs = (nowMs: number) => nowMs - reachedAtMs;

  return {
    /** Records that the primary's log had at least this position at `atMs`. */
    notePrimary(written: number, atMs: number): void {
      marks = [...marks.filter((mark) => atMs - mark.atMs <= maxLagMs), { written, atMs }];
    },
    noteReplica(report: ReplicaReport): void {
      ({ version } = report);
      const reached = marks.findLast((mark) => mark.written <= report.replayed);
      if (reached === undefined) return;
      reachedAtMs = reached.atMs;
      marks = marks.filter((mark) => mark.atMs > reached.atMs);
    },
    /** Discards the measurements until the next report. */
    noteFailure(): void {
      reachedAtMs = -Infinity;
    },
    /**
     * Returns whether a read that starts now includes everything that the primary had committed
     * `maxLagMs` ago, and at least this version of the content.
     */
    isUsable: (nowMs: number, needed: number | null): boolean =>
      needed !== null && version >= needed && lagMs(nowMs) <= maxLagMs,
    lagMs,
  };
}

const measureEveryMs = 250;
/** Pause after a change, until the replica has the change. Doubles each time. */
const firstPauseMs = 20;
const responseTimeoutMs = 1000;

const readWritten = "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as written";
/** The address may lead to the primary itself, which has replayed everything. */
const readReport = `
  select version, pg_wal_lsn_diff(
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end,
    '0/0')::float8 as replayed
  from change_version`;

/**
 * @param deps.findVersion returns the version of the content that this process knows, or null. A
 * change event may arrive before the replica has the change, and caches must not be filled with old
 * data.
 */
export function createReplica(deps: {
  primary: pg.Pool;
  /** Primary adapted for Kysely. */
  queryablePrimary: PostgresPool;
  replica: pg.Pool;
  hasPrepared: boolean;
  /** Called after each statement. */
  onQuery: ((event: LogEvent) => void) | null;
  maxLagMs: number;
  findVersion: () => number | null;
  logger: Logger;
}) {
  const { primary, queryablePrimary, replica, hasPrepared, maxLagMs, findVersion, logger } = deps;
  const state = createReplicaState(maxLagMs);
  const stopping = new AbortController();
  const isUsable = () => state.isUsable(performance.now(), findVersion());
  const noteFailure = (error: unknown) => {
    state.noteFailure();
    if (!stopping.signal.aborted) {
      warnLimited(logger, "replica", { err: error }, "couldn't read from the replica");
    }
  };

  async function query<Row extends object>(pool: pg.Pool, text: string): Promise<Row> {
    const { rows } = await pool.query<Row>({ text, query_timeout: responseTimeoutMs } as {
      text: string;
    });
    if (rows[0] === undefined) throw new Error("a replica without content");
    return rows[0];
  }

  async function measure(): Promise<void> {
    const atMs = performance.now();
    try {
      const { written } = await query<{ written: number }>(primary, readWritten);
      state.notePrimary(written, atMs);
    } catch {
      // Visitors' requests report the failure.
    }
    try {
      state.noteReplica(await query(replica, readReport));
    } catch (error) {
      noteFailure(error);
    }
  }

  async function keepMeasuring(): Promise<void> {
    let pauseMs = firstPauseMs;
    while (!stopping.signal.aborted) {
      await measure();
      pauseMs = isUsable() ? firstPauseMs : Math.min(pauseMs * 2, measureEveryMs);
      await wait(pauseMs, undefined, { ref: false, signal: stopping.signal }).catch(
        () => undefined,
      );
    }
  }
  const measuring = keepMeasuring();

  const pool = createReadPool(queryablePrimary, queryablePool(replica, hasPrepared), {
    isUsable,
    noteFailure,
  });
  return {
    /** Database for single statements only. They use the primary if the replica is unusable. */
    db: createDbOn(pool, deps.onQuery),
    addMetrics(metrics: Metrics, process: string): void {
      addReading(
        metrics,
        "gauge",
        {
          name: "kinora_database_replica_lag_seconds",
          help: "Measured lag of the replica; -1 if unknown.",
          labelNames: ["process"],
        },
        () => {
          const lagMs = state.lagMs(performance.now());
          return [{ labels: { process }, value: Number.isFinite(lagMs) ? lagMs / 1000 : -1 }];
        },
      );
      addReading(
        metrics,
        "gauge",
        {
          name: "kinora_database_replica_used",
          help: "1 if reads go to the replica.",
          labelNames: ["process"],
        },
        () => [{ labels: { process }, value: isUsable() ? 1 : 0 }],
      );
    },
    async stop(): Promise<void> {
      stopping.abort();
      await measuring;
      await replica.end();
    },
  };
}

/** Replica that serves reads while its lag is small enough. */
export type Replica = ReturnType<typeof createReplica>;
