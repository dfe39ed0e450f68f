/** Reports of a replica and its primary, each at a time of this process's clock. */
interface ReplicaReport {
  /** Position up to which the replica has replayed the log, in bytes. */
  replayed: number;
  /** Version of the content on the replica. */
  version: number;
}

/** Decides from measurements whether reads may use a replica. */
export interface ReplicaState {
  /** Records that the primary's log had at least this position at `atMs`. */
  notePrimary(written: number, atMs: number): void;
  noteReplica(report: ReplicaReport): void;
  /** Discards the measurements until the next report. */
  noteFailure(): void;
  /**
   * Returns whether a read that starts now includes everything that the primary had committed
   * `maxLagMs` ago, and at least this version of the content.
   */
  isUsable(nowMs: number, version: number | null): boolean;
  /** Returns the maximum lag of a read that starts now; Infinity if unknown. */
  lagMs(nowMs: number): number;
}

interface Mark {
  written: number;
  atMs: number;
}

export function createReplicaState(maxLagMs: number): ReplicaState {
  /** Positions that the replica hasn't reached yet, and the last one that it has. */
  let marks: Mark[] = [];
  let reachedAtMs = -Infinity;
  let version = -Infinity;

  const lagMs = (nowMs: number) => nowMs - reachedAtMs;

  return {
    notePrimary(written, atMs) {
      marks = [...marks.filter((mark) => atMs - mark.atMs <= maxLagMs), { written, atMs }];
    },
    noteReplica(report) {
      ({ version } = report);
      const reached = marks.findLast((mark) => mark.written <= report.replayed);
      if (reached === undefined) return;
      reachedAtMs = reached.atMs;
      marks = marks.filter((mark) => mark.atMs > reached.atMs);
    },
    noteFailure() {
      reachedAtMs = -Infinity;
    },
    isUsable: (nowMs, needed) => needed !== null && version >= needed && lagMs(nowMs) <= maxLagMs,
    lagMs,
  };
}
