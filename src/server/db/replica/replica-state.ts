/** What a replica and its primary said, each of them at a moment of this process's clock. */
interface ReplicaReport {
  /** How far the replica has replayed the log, in bytes. */
  replayed: number;
  /** Of the content, as the replica shows it. */
  version: number;
}

/** Decides whether reads may go to a replica, from what was measured. */
export interface ReplicaState {
  /** The primary had written its log up to here, or further, at `atMs`. */
  notePrimary(written: number, atMs: number): void;
  noteReplica(report: ReplicaReport): void;
  /** Nothing is known until the next report. */
  noteFailure(): void;
  /**
   * Whether a read that begins now shows all that the primary had committed `maxLagMs` ago, and at
   * least this version of the content.
   */
  isUsable(nowMs: number, version: number | null): boolean;
  /** By how much a read that begins now may be behind; Infinity where that is not known. */
  lagMs(nowMs: number): number;
}

interface Mark {
  written: number;
  atMs: number;
}

export function createReplicaState(maxLagMs: number): ReplicaState {
  /** Moments that the replica has not reached, and the last one that it has. */
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
