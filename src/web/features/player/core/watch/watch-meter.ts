/**
 * Seconds of content really watched. Fed with every position the element reports; a jump (a seek, a
 * restart) adds nothing, nor does a picture that stands still.
 */
export interface WatchMeter {
  readonly watchedS: number;
  /** `nowMs` is a monotonic clock, `rate` the speed of playback. */
  observe(positionS: number, nowMs: number, rate: number): void;
  /** The next observation starts a new stretch: after a seek, a pause, a stall. */
  interrupt(): void;
}

export function createWatchMeter(): WatchMeter {
  let watchedS = 0;
  let last: { positionS: number; atMs: number } | null = null;
  return {
    get watchedS() {
      return watchedS;
    },
    observe(positionS, nowMs, rate) {
      if (last !== null) {
        const moved = positionS - last.positionS;
        const passed = ((nowMs - last.atMs) / 1000) * rate;
        // No one watches faster than the clock runs; half a second of slack for late events.
        if (moved > 0 && moved <= passed + 0.5) watchedS += moved;
      }
      last = { positionS, atMs: nowMs };
    },
    interrupt() {
      last = null;
    },
  };
}
