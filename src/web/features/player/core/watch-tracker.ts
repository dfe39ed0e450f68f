import type { PlayOrigin } from "#contract/videos/play-origins.ts";
import { callForEffect } from "#web/lib/api/http.ts";
import type { ResumePoints } from "./resume-points.ts";
import type { formatBins } from "./watched-bins.ts";

interface WatchReport {
  /** Seconds. */
  watchTime: number;
  completed: boolean;
  /** See `watchedBinsPattern`; absent before anything was played, and for visitors who opted out. */
  bins?: string | undefined;
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
    const json = { type: "application/json" };
    if (isLast && navigator.sendBeacon?.(url, new Blob([JSON.stringify(body)], json))) return;
    callForEffect(url, { method: "POST", body, keepalive: isLast }).catch((error: unknown) =>
      console.warn("watch report failed", error),
    );
  };

export type WatchTracker = ReturnType<typeof createWatchTracker>;

/**
 * Reports one viewing: 0 on load, the duration at the end, and the watched seconds of content when
 * the visitor leaves. Seeks, restarts and pauses add nothing. Also saves the position.
 */
export function createWatchTracker(
  videoId: string,
  send: SendWatch,
  resumePoints: ResumePoints | null,
  /** Returns the duration of the content in seconds. */
  durationS: () => number,
  /** Returns the position in the content in seconds, or null if it isn't worth resuming. */
  findPosition: () => number | null,
) {
  let hasBegun = false;
  let isCompleted = false;
  let watchedS = 0;
  let reportedS = 0;
  let last: { positionS: number; atMs: number } | null = null;

  /** Start and end of each stretch of content that was played. */
  const ranges: number[] = [];
  let format: typeof formatBins | null = null;

  const report = (watchTime: number, isLast: boolean) =>
    send(
      videoId,
      { watchTime, completed: isCompleted, bins: format?.(ranges, durationS()) },
      isLast,
    );

  function savePosition(): void {
    const positionS = findPosition();
    if (positionS !== null) resumePoints?.save(videoId, positionS, durationS());
  }

  return {
    /** Sends the first report once. */
    begin() {
      if (hasBegun) return;
      hasBegun = true;
      report(0, false);
      // Reports work without it.
      import("./watched-bins.ts").then((loaded) => (format = loaded.formatBins), console.warn);
    },
    /** Call it with every position that the element reports. */
    observe(positionS: number, rate: number) {
      const nowMs = performance.now();
      if (last !== null) {
        const movedS = positionS - last.positionS;
        const passedS = ((nowMs - last.atMs) / 1000) * rate;
        // Content can't play faster than the clock. Half a second of tolerance allows for late
        // events.
        if (movedS > 0 && movedS <= passedS + 0.5) {
          watchedS += movedS;
          ranges.push(last.positionS, positionS);
        }
      }
      last = { positionS, atMs: nowMs };
    },
    /** Call it after a seek or a stall. Counting restarts at the next observation. */
    interrupt() {
      last = null;
    },
    pause() {
      last = null;
      savePosition();
    },
    complete(durationS: number) {
      last = null;
      if (hasBegun && !isCompleted) {
        isCompleted = true;
        reportedS = Math.max(reportedS, durationS);
        report(durationS, false);
      }
      resumePoints?.remove(videoId);
    },
    /** Call it whenever the visitor may be leaving. Sends nothing twice. */
    leave() {
      savePosition();
      const roundedS = Math.round(watchedS * 100) / 100;
      if (!hasBegun || roundedS < reportedS + 0.5) return;
      reportedS = roundedS;
      report(roundedS, true);
    },
  };
}
