import type { FaultKind, PlayerFault } from "./player-state.ts";
import type { Playback } from "./playback.ts";
import type { PlayerContext } from "./player-context.ts";

interface FaultHandling {
  recovery: Recovery;
  stallWatch: StallWatch;
  dispose(): void;
}

/**
 * Connects the recovery and the stall watch with the playing source.
 * @param changeSource see `SourceLoading`.
 */
export function createFaultHandling(
  player: PlayerContext,
  playback: Playback,
  changeSource: () => boolean,
): FaultHandling {
  const { store } = player;

  const recovery = createRecovery({
    commitFault: (fault) => store.commit({ fault }),
    positionS: () => store.get().positionS,
    onOnline(listener) {
      window.addEventListener("online", listener);
      return () => window.removeEventListener("online", listener);
    },
    retry(skipS, { kind, attempt }) {
      const { viewing } = player;
      if (viewing === null || viewing.adapter === null) return;
      const { positionS, durationS, rate } = store.get();
      viewing.watch.interrupt();
      const isDamaged = kind === "corrupt" || kind === "unsupported";
      // Bytes of a file stay the same, but a segment of the ladder may arrive whole the second time.
      const isLasting = viewing.adapter.kind === "progressive" || attempt > 1;
      if (!(isDamaged && isLasting && changeSource())) {
        viewing.adapter.retry(Math.min(positionS + skipS, Math.max(0, durationS - 1)));
      }
      player.media.playbackRate = rate;
      if (player.shouldPlay && viewing.ads?.isInBreak !== true) playback.resume();
    },
  });

  const stallWatch = createStallWatch({
    isWaiting() {
      if (player.viewing === null || !player.shouldPlay) return false;
      const { isBuffering, isPlayable, isPaused, adSlot } = store.get();
      const isShort = isBuffering || !isPlayable;
      // Decoders may stop without an event, as in WebKitGTK. Hidden pages may skip frames to save
      // energy.
      const shouldMove = !isPaused && document.visibilityState === "visible";
      return adSlot === null && (isShort || shouldMove);
    },
    onStall: () => recovery.report(navigator.onLine ? "stalled" : "offline"),
  });

  return {
    recovery,
    stallWatch,
    dispose() {
      recovery.dispose();
      stallWatch.stop();
    },
  };
}

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

interface StallWatchOptions {
  /** Returns whether the visitor is waiting, because the video should be playing but isn't. */
  isWaiting(): boolean;
  /** Called if nothing arrived for `timeoutMs` while the visitor waited. */
  onStall(): void;
  timeoutMs?: number;
}

interface StallWatch {
  /** Restarts the clock, because bytes arrived or the position moved. */
  touch(): void;
  stop(): void;
}

/**
 * Detects problems that no browser reports as an error: a server that keeps a connection open
 * without sending anything, and a decoder that has stopped. Calls `onStall` after `timeoutMs`
 * without progress while the visitor waits.
 */
export function createStallWatch(options: StallWatchOptions): StallWatch {
  const { isWaiting, onStall, timeoutMs = 6000 } = options;
  let quietMs = 0;
  const stepMs = 1000;
  const timer = setInterval(() => {
    quietMs = isWaiting() ? quietMs + stepMs : 0;
    if (quietMs < timeoutMs) return;
    quietMs = 0;
    onStall();
  }, stepMs);
  return {
    touch() {
      quietMs = 0;
    },
    stop: () => clearInterval(timer),
  };
}
