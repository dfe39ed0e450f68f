import type { FaultKind, PlayerFault } from "../state/player-state.ts";

interface RecoveryOptions {
  commitFault(fault: PlayerFault | null): void;
  /** Starts the source over, `skipS` past the place where it failed. */
  retry(skipS: number): void;
  positionS(): number;
  /** Told when the browser believes that it is online again. */
  onOnline(listener: () => void): () => void;
}

export interface Recovery {
  /** Something failed: says so, and tries again by itself. */
  report(kind: FaultKind): void;
  /** The picture moves or can be played: the fault has ended. */
  clear(): void;
  /** Another source: nothing of the old one counts. */
  reset(): void;
  retryNow(): void;
  dispose(): void;
}

const waitsMs = [500, 1000, 2000, 4000, 8000];
/** A damaged place is tried once more, then stepped over in growing strides, in seconds. */
const stridesS = [0, 1, 2, 4, 8];
/** The same trouble within this distance is the same trouble, even if a moment's picture came between. */
const samePlaceS = 10;
/** What the browser cannot decode today it will not decode in a minute. */
const mostUnsupportedTries = 2;

/** Faults end: a connection returns, a server comes back. Until then, try with growing patience. */
export function createRecovery(options: RecoveryOptions): Recovery {
  let attempt = 0;
  let kind: FaultKind | null = null;
  let last: { kind: FaultKind; positionS: number } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function tryAgain(): void {
    clearTimeout(timer);
    if (kind === null) return;
    const skipS =
      kind === "corrupt" ? (stridesS[Math.min(attempt - 1, stridesS.length - 1)] ?? 0) : 0;
    options.retry(skipS);
  }

  const stopListening = options.onOnline(() => {
    if (kind !== null) tryAgain();
  });

  return {
    report(next) {
      const positionS = options.positionS();
      const isSame =
        last !== null && last.kind === next && Math.abs(positionS - last.positionS) < samePlaceS;
      attempt = isSame ? attempt + 1 : 1;
      last = { kind: next, positionS };
      kind = next;
      const isRetrying = next !== "unsupported" || attempt <= mostUnsupportedTries;
      options.commitFault({ kind: next, isRetrying });
      clearTimeout(timer);
      if (isRetrying) timer = setTimeout(tryAgain, waitsMs[Math.min(attempt, waitsMs.length) - 1]);
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
    retryNow() {
      tryAgain();
    },
    dispose() {
      clearTimeout(timer);
      stopListening();
    },
  };
}
