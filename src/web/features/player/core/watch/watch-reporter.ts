import type { PlayOrigin } from "#contract/videos/play-origins.ts";
import { callForEffect } from "#web/lib/api/http.ts";

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

/**
 * Reports one viewing: 0 on load, the duration at the end, and the watched seconds when the visitor
 * leaves.
 */
export interface WatchReporter {
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
