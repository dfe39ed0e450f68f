import { reportAdEvent, type Impression } from "../api/report-ad-event.ts";
import { quartiles, type VastTracker } from "../vast/vast-tracker.ts";
import type { AdSession } from "./ad-session.ts";
import type { AdVideo } from "./ad-video.ts";

/**
 * Reports the playback of an ad's video to our server and to the ad's servers until the ad ends.
 * @param tracker null for an ad without VAST.
 */
export function reportPlayback(
  { element, durationS }: AdVideo,
  { signal, isShown }: Pick<AdSession, "signal" | "isShown">,
  { impression, tracker }: { impression: Impression | null; tracker: VastTracker | null },
): void {
  const reached = new Set<string>();

  function reportProgress(): void {
    const totalS = durationS();
    tracker?.progress(element.currentTime, totalS);
    for (const [name, share] of quartiles) {
      if (totalS === null || element.currentTime < totalS * share || reached.has(name)) continue;
      reached.add(name);
      reportAdEvent(impression, name);
    }
  }

  const on = (name: keyof HTMLVideoElementEventMap, handler: () => void) =>
    element.addEventListener(name, handler, { signal });
  on("loadeddata", () => tracker?.loaded());
  on("playing", () => {
    tracker?.setMuted(element.muted);
    tracker?.setPaused(false);
  });
  on("timeupdate", reportProgress);
  on("pause", () => {
    if (!element.ended && isShown()) tracker?.setPaused(true);
  });
  on("volumechange", () => tracker?.setMuted(element.muted));
  on("ended", () => {
    reportProgress();
    tracker?.complete();
    reportAdEvent(impression, "complete");
  });
  document.addEventListener(
    "fullscreenchange",
    () => tracker?.setFullscreen(document.fullscreenElement !== null),
    { signal },
  );
}
