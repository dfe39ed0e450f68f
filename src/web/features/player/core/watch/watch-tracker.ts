import type { ResumePoints } from "../memory/resume-points.ts";
import type { PlayerSource } from "../sources/player-source.ts";
import { createWatchMeter } from "./watch-meter.ts";
import { createWatchReporter, type SendWatch } from "./watch-reporter.ts";

interface WatchTrackerOptions {
  source: PlayerSource;
  send: SendWatch;
  resumePoints: ResumePoints | null;
  /** Returns the position in the content, or null if it isn't worth resuming. */
  position(): { positionS: number; durationS: number } | null;
}

/** Reports watch time and saves the position of one viewing. */
export interface WatchTracker {
  /** Sends the first report once. */
  begin(): void;
  observe(positionS: number, rate: number): void;
  /** Call it after a pause, a seek or a stall. Counting restarts at the next observation. */
  interrupt(): void;
  pause(): void;
  complete(durationS: number): void;
  /** Call it whenever the visitor may be leaving. */
  leave(): void;
}

export function createWatchTracker(options: WatchTrackerOptions): WatchTracker {
  const { source, resumePoints } = options;
  const meter = createWatchMeter();
  const reporter = createWatchReporter(source.id, options.send);

  function savePosition(): void {
    const place = options.position();
    if (place !== null) resumePoints?.save(source.id, place.positionS, place.durationS);
  }

  return {
    begin: () => reporter.begin(),
    observe: (positionS, rate) => meter.observe(positionS, performance.now(), rate),
    interrupt: () => meter.interrupt(),
    pause() {
      meter.interrupt();
      savePosition();
    },
    complete(durationS) {
      meter.interrupt();
      reporter.complete(durationS);
      resumePoints?.remove(source.id);
    },
    leave() {
      savePosition();
      reporter.leave(meter.watchedS);
    },
  };
}
