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
