import type { PlayOrigin } from "#contract/videos/play-origins.ts";
import { callForEffect } from "#web/lib/api/http.ts";
import type { ResumePoints } from "./resume-points.ts";
import type { PlayerSource } from "./sources/player-source.ts";

export interface WatchReport {
  /** Seconds. */
  watchTime: number;
  completed: boolean;
}

/** Sends a report. If `isLast`, the request must survive the end of the page. */
export type SendWatch = (videoId: string, report: WatchReport, isLast: boolean) => void;

/**
 * `POST /api/videos/{id}/watch`. Failures are only logged. @param origin called for each report.
 */
export const sendWatchReport =
  (origin: () => PlayOrigin): SendWatch =>
  (videoId, report, isLast) => {
    const url = `/api/videos/${encodeURIComponent(videoId)}/watch`;
    const body = { ...report, origin: origin() };
    if (isLast && typeof navigator.sendBeacon === "function") {
      const blob = new Blob([JSON.stringify(body)], { type: "application/json" });
      if (navigator.sendBeacon(url, blob)) return;
    }
    callForEffect(url, { method: "POST", body, keepalive: isLast }).catch((error: unknown) =>
      console.warn("watch report failed", error),
    );
  };

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

/**
 * Reports one viewing: 0 on load, the duration at the end, and the watched seconds when the visitor
 * leaves.
 */
interface WatchReporter {
  begin(): void;
  complete(durationS: number): void;
  /** Call it whenever the visitor may be leaving. Sends nothing twice. */
  leave(watchedS: number): void;
}

export function createWatchReporter(videoId: string, send: SendWatch): WatchReporter {
  let hasStartedWatch = false;
  let isCompleted = false;
  let reportedS = 0;
  return {
    begin() {
      if (hasStartedWatch) return;
      hasStartedWatch = true;
      send(videoId, { watchTime: 0, completed: false }, false);
    },
    complete(durationS) {
      if (!hasStartedWatch || isCompleted) return;
      isCompleted = true;
      reportedS = Math.max(reportedS, durationS);
      send(videoId, { watchTime: durationS, completed: true }, false);
    },
    leave(watchedS) {
      const rounded = Math.round(watchedS * 100) / 100;
      if (!hasStartedWatch || rounded < reportedS + 0.5) return;
      reportedS = rounded;
      send(videoId, { watchTime: rounded, completed: isCompleted }, true);
    },
  };
}

/**
 * Counts the watched seconds of content. It receives every position that the element reports.
 * Seeks, restarts and pauses add nothing.
 */
interface WatchMeter {
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
