import type { FaultKind, PlayerFault } from "../state/player-state.ts";

interface RecoveryOptions {
  commitFault(fault: PlayerFault | null): void;
  /** Loads the source again, `skipS` after the position at which it failed. Counts from 1. */
  retry(skipS: number, fault: { kind: FaultKind; attempt: number }): void;
  positionS(): number;
  /**
   * Calls the listener when the browser is online again. Returns a function that stops listening.
   */
  onOnline(listener: () => void): () => void;
}

export interface Recovery {
  /** Commits the fault and schedules a retry. */
  report(kind: FaultKind): void;
  /** Ends the fault, because the video plays or can play. */
  clear(): void;
  /** Resets the attempts of the previous source. */
  reset(): void;
  retryNow(): void;
  dispose(): void;
}

const delaysMs = [500, 1000, 2000, 4000, 8000];
/** Seconds to skip at each attempt. A damaged position is retried once, then skipped. */
const skipsS = [0, 1, 2, 4, 8];
/**
 * Faults of one kind within this many seconds count as one, even if a frame was shown in between.
 */
const sameFaultS = 10;
/** Retries end early, because a format that can't be decoded now never will be. */
const maxUnsupportedAttempts = 2;

/** Retries after a fault with growing delays, and immediately when the browser is online again. */
export function createRecovery(options: RecoveryOptions): Recovery {
  let attempt = 0;
  let kind: FaultKind | null = null;
  let last: { kind: FaultKind; positionS: number } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function retry(): void {
    clearTimeout(timer);
    if (kind === null) return;
    const skipS = kind === "corrupt" ? (skipsS[Math.min(attempt - 1, skipsS.length - 1)] ?? 0) : 0;
    options.retry(skipS, { kind, attempt });
  }

  const stopListening = options.onOnline(() => {
    if (kind !== null) retry();
  });

  return {
    report(next) {
      const positionS = options.positionS();
      const isSame =
        last !== null && last.kind === next && Math.abs(positionS - last.positionS) < sameFaultS;
      attempt = isSame ? attempt + 1 : 1;
      last = { kind: next, positionS };
      kind = next;
      const isRetrying = next !== "unsupported" || attempt <= maxUnsupportedAttempts;
      options.commitFault({ kind: next, isRetrying });
      clearTimeout(timer);
      if (isRetrying) timer = setTimeout(retry, delaysMs[Math.min(attempt, delaysMs.length) - 1]);
    },
    clear() {
      if (kind === null) return;
      clearTimeout(timer);
      kind = null;
      options.commitFault(null);
    },
    reset() {
      clearTimeout(timer);
      kind = null;
      last = null;
      options.commitFault(null);
    },
    retryNow: retry,
    dispose() {
      clearTimeout(timer);
      stopListening();
    },
  };
}
