import type { PlayerContext } from "./player-context.ts";
import type { FaultKind } from "./player-state.ts";

/** Delays start at 500 ms and double with each attempt up to this. */
const maxDelayMs = 8000;
/** Maximum seconds to skip. A damaged position is retried once, then skipped by 1, 2, 4 and 8. */
const maxSkipS = 8;
/**
 * Faults of one kind within this many seconds count as one, even if a frame was shown in between.
 */
const sameFaultS = 10;
/** Retries end early, because a format that can't be decoded now never will be. */
const maxUnsupportedAttempts = 2;
/** Time between attempts while the server refuses this connection, which may last many minutes. */
const limitedMs = 30_000;
/** Time without progress, while the visitor waits, that counts as a fault. */
const stallMs = 6000;
const stepMs = 1000;

export type Faults = ReturnType<typeof createFaults>;

/**
 * Handles the faults of the playing source. Retries with growing delays, and immediately when the
 * browser is online again. Detects problems that no browser reports as an error: a server that keeps
 * a connection open without sending anything, and a decoder that has stopped.
 * @param changeSource see `createSourceLoading`.
 */
export function createFaults(
  player: PlayerContext,
  playback: { resume(): void },
  changeSource: () => boolean,
) {
  const { store } = player;
  /** Attempts for the current fault, from 1. */
  let attempt = 0;
  let kind: FaultKind | null = null;
  let last: { kind: FaultKind; positionS: number } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let quietMs = 0;

  /** Commits the fault and schedules a retry. */
  function report(next: FaultKind): void {
    const { positionS } = store.get();
    const isSame =
      last !== null && last.kind === next && Math.abs(positionS - last.positionS) < sameFaultS;
    attempt = isSame ? attempt + 1 : 1;
    last = { kind: next, positionS };
    kind = next;
    const isRetrying = next !== "unsupported" || attempt <= maxUnsupportedAttempts;
    store.commit({ fault: { kind, isRetrying } });
    clearTimeout(timer);
    const delayMs = next === "limited" ? limitedMs : Math.min(250 * 2 ** attempt, maxDelayMs);
    if (isRetrying) timer = setTimeout(retry, delayMs);
  }

  function retry(): void {
    clearTimeout(timer);
    const { viewing } = player;
    if (kind === null || viewing === null || viewing.adapter === null) return;
    const { positionS, durationS, rate } = store.get();
    viewing.watch.interrupt();
    const isDamaged = kind === "corrupt" || kind === "unsupported";
    // Bytes of a file stay the same, but a segment of the ladder may arrive whole the second time.
    const isLasting = viewing.adapter.kind === "progressive" || attempt > 1;
    if (!(isDamaged && isLasting && changeSource())) {
      const skipS = kind === "corrupt" ? Math.min(Math.floor(2 ** (attempt - 2)), maxSkipS) : 0;
      viewing.adapter.retry(Math.min(positionS + skipS, (durationS || Infinity) - 1));
    }
    player.media.playbackRate = rate;
    if (player.shouldPlay && viewing.ads?.isInBreak !== true) playback.resume();
  }

  /** Ends the fault, because the video plays or can play. */
  function clear(): void {
    if (kind === null) return;
    clearTimeout(timer);
    kind = null;
    store.commit({ fault: null });
  }

  function isWaiting(): boolean {
    if (player.viewing === null || !player.shouldPlay) return false;
    const { isBuffering, isPlayable, isPaused, adSlot } = store.get();
    const isShort = isBuffering || !isPlayable;
    // Decoders may stop without an event, as in WebKitGTK. Hidden pages may skip frames to save
    // energy.
    const shouldMove = !isPaused && document.visibilityState === "visible";
    return adSlot === null && (isShort || shouldMove);
  }

  const onOnline = () => {
    if (kind !== null) retry();
  };
  window.addEventListener("online", onOnline);
  const stallTimer = setInterval(() => {
    quietMs = kind !== "limited" && isWaiting() ? quietMs + stepMs : 0;
    if (quietMs < stallMs) return;
    quietMs = 0;
    report(navigator.onLine ? "stalled" : "offline");
  }, stepMs);

  return {
    report,
    retry,
    clear,
    /** Restarts the clock of stalls, because bytes arrived or the position moved. */
    touch() {
      quietMs = 0;
    },
    /** Resets the attempts of the previous source. */
    reset() {
      clear();
      last = null;
    },
    dispose() {
      clearTimeout(timer);
      clearInterval(stallTimer);
      window.removeEventListener("online", onOnline);
    },
  };
}
