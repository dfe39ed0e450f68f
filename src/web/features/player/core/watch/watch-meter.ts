/**
 * Seconds of content that were watched. It receives every position that the element reports. A jump
 * (a seek, a restart) or a pause adds nothing.
 */
export interface WatchMeter {
  readonly watchedS: number;
  /** `nowMs` is a monotonic clock, `rate` the speed of playback. */
  observe(positionS: number, nowMs: number, rate: number): void;
  /** Starts a new stretch at the next observation: after a seek, a pause or a stall. */
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
        // The content cannot run faster than the clock. Late events get half a second of tolerance.
        if (moved > 0 && moved <= passed + 0.5) watchedS += moved;
      }
      last = { positionS, atMs: nowMs };
    },
    interrupt() {
      last = null;
    },
  };
}
