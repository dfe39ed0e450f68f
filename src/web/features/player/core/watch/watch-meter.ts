/**
 * Counts the watched seconds of content. It receives every position that the element reports.
 * Seeks, restarts and pauses add nothing.
 */
export interface WatchMeter {
  readonly watchedS: number;
  /** `nowMs` is monotonic. `rate` is the playback speed. */
  observe(positionS: number, nowMs: number, rate: number): void;
  /** Call it after a seek, a pause or a stall. Counting restarts at the next observation. */
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
        // Content can't play faster than the clock. Half a second of tolerance allows for late
        // events.
        if (moved > 0 && moved <= passed + 0.5) watchedS += moved;
      }
      last = { positionS, atMs: nowMs };
    },
    interrupt() {
      last = null;
    },
  };
}
