import { limits } from "#contract/limits.ts";
import { type AdStage, hasTimedOut } from "#web/features/player/core/ads/ad-provider.ts";
import { reportAdEvent } from "../api/report-ad-event.ts";
import { adMessages as messages } from "../messages.ts";
import { orderMediaFiles } from "../vast/media-choice.ts";
import type { VastTracker } from "../vast/vast-tracker.ts";
import type { AdSession } from "./ad-session.ts";
import type { AdVideo } from "./ad-video.ts";
import { attachFile } from "./attach-file.ts";
import { canPlayType } from "./browser-vast.ts";
import { createElement } from "./create-element.ts";
import type { PreparedAd, VideoCreative } from "./creative.ts";

/** Error codes of VAST 4.3, section 2.3.6.3. */
const codes = { mediaTimeout: 402, notSupported: 403, cannotDisplay: 405 } as const;
/**
 * Milliseconds for which the message about an unplayable video is shown before the content
 * continues.
 */
const unsupportedMs = 1500;

/** Ad of a break that is being played. */
interface PlayedAd {
  prepared: PreparedAd<VideoCreative>;
  stage: AdStage;
  session: AdSession;
  /** Null for an ad without VAST. */
  tracker: VastTracker | null;
}

/**
 * Reports a timeout if the content stops waiting before the ad is shown. Call it before `mount`,
 * whose listener ends the session.
 */
export function reportTimeout({ prepared, stage, session, tracker }: PlayedAd): void {
  stage.signal.addEventListener(
    "abort",
    () => {
      if (session.isShown() || !hasTimedOut(stage.signal)) return;
      tracker?.error(codes.mediaTimeout);
      reportAdEvent(prepared.impression, "error", "media_timeout");
    },
    { signal: session.signal },
  );
}

/**
 * Tries the files of the ad in order. If none plays, ends the session. Shows a message in `root`
 * first, unless another ad follows.
 */
export function playAdFiles(
  { prepared, stage, session, tracker }: PlayedAd,
  video: AdVideo,
  root: HTMLElement,
): void {
  const { impression, creative } = prepared;
  const { signal } = session;
  const startedAtMs = performance.now();
  const files = orderMediaFiles(creative.files, stage.container.clientWidth).filter((file) =>
    canPlayType(file.type),
  );
  let detach = () => {};
  signal.addEventListener("abort", () => detach());

  function fail(code: number): void {
    if (signal.aborted) return;
    tracker?.error(code);
    const isUnsupported = code === codes.notSupported;
    reportAdEvent(impression, "error", isUnsupported ? "unsupported" : "media_failed");
    if (session.isShown()) return session.end("failed");
    if (prepared.hasNext === true && !isUnsupported) return session.end("failed");
    // Nothing was visible yet, so shows the reason within the time that the content waits anyway.
    root.replaceChildren(createElement("p", "spot-break-failure", messages.unsupported));
    stage.onVisible();
    const leftMs = limits.adFirstFrameMs - (performance.now() - startedAtMs);
    setTimeout(() => session.end("failed"), Math.max(0, Math.min(unsupportedMs, leftMs)));
  }

  function tryNext(): void {
    detach();
    const file = files.shift();
    if (file === undefined) {
      return fail(creative.files.length === 0 ? codes.notSupported : codes.cannotDisplay);
    }
    tracker?.setAsset(file.url);
    detach = attachFile(video.element, file, () => {
      if (!signal.aborted) tryNext();
    });
    video.play();
  }
  tryNext();
}
