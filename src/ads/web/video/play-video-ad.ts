import { limits } from "#contract/limits.ts";
import type { AdOutcome, AdStage } from "#web/features/player/core/ads/ad-provider.ts";
import { hasTimedOut } from "#web/features/player/core/ads/out-of-time.ts";
import { reportAdEvent } from "../api/report-ad-event.ts";
import { offerCompanions } from "../core/companions.ts";
import { adMessages as messages } from "../messages.ts";
import { orderMediaFiles } from "../vast/media-choice.ts";
import { offsetSeconds } from "../vast/vast-ad.ts";
import { createVastTracker, quartiles } from "../vast/vast-tracker.ts";
import { createAdControls } from "./ad-controls.ts";
import { renderIcons } from "./ad-icons.ts";
import { createAdSession } from "./ad-session.ts";
import { adTimes } from "./ad-times.ts";
import { attachFile } from "./attach-file.ts";
import { canPlayType, pixelDeps } from "./browser-vast.ts";
import { createElement } from "./create-element.ts";
import type { PreparedAd, VideoCreative } from "./creative.ts";

/** Error codes of VAST 4.3, section 2.3.6.3. */
const codes = { mediaTimeout: 402, notSupported: 403, cannotDisplay: 405 } as const;
/**
 * Milliseconds for which the message about an unplayable video is shown before the content
 * continues.
 */
const unsupportedMs = 1500;

/**
 * Returns whether the visitor has interacted with the page. Also true in browsers before 2023,
 * which don't report it and decide for themselves.
 */
const hasGesture = (): boolean =>
  !("userActivation" in navigator) || navigator.userActivation.hasBeenActive;

/**
 * Plays an ad's video on the stage. Tries the files in order and reports all events to our server
 * and the ad's servers. Ends at the end of the video, on skip, or after 15 s.
 */
export function playVideoAd(
  prepared: PreparedAd<VideoCreative>,
  stage: AdStage,
): Promise<AdOutcome> {
  const { ad, impression, creative } = prepared;
  const { vast } = creative;
  const { isBumper } = ad;
  const tracker =
    vast === null
      ? null
      : createVastTracker(vast, pixelDeps, {
          mediaPlayheadS: prepared.mediaPlayheadS,
          pageUrl: window.location.href,
        });
  const startedAtMs = performance.now();
  const waitedMs = () => performance.now() - startedAtMs;
  const files = orderMediaFiles(creative.files, stage.container.clientWidth).filter((file) =>
    canPlayType(file.type),
  );
  const reached = new Set<string>();
  let detach = () => {};
  let endCompanions = () => {};

  const video = createElement("video", "spot-break-video", messages.unsupported);
  video.playsInline = true;
  /** True if the ad is muted for lack of a gesture, which must not mute the content. */
  let isSilenced = !stage.isMuted && !hasGesture();
  video.muted = stage.isMuted || isSilenced;
  video.volume = stage.volume;
  video.disablePictureInPicture = true;
  /** Returns the measured duration, because the declared one may be wrong or zero. */
  const durationS = () => (Number.isFinite(video.duration) ? video.duration : null);

  const session = createAdSession(stage, impression, {
    onTick(shownS) {
      const times = adTimes({
        shownS,
        isBumper,
        media: {
          positionS: video.currentTime,
          durationS: durationS(),
          skipAtS: vast?.skip ? offsetSeconds(vast.skip, durationS() ?? vast.durationS) : null,
        },
      });
      controls.setTimes(times);
      // A video that is cut off reports neither "complete" nor "skip".
      if (times.isCutOff) session.end("completed");
    },
    onShow() {
      tracker?.impression();
      endCompanions = offerCompanions(ad.id, vast?.companions ?? []);
      if (vast !== null && vast.icons.length > 0) {
        root.append(renderIcons(vast.icons, session.signal));
      }
    },
    onViewable: () => tracker?.viewable(true),
    onEnd() {
      if (session.isShown()) tracker?.viewable(false);
      endCompanions();
      video.pause();
      detach();
    },
  });
  const { signal, show } = session;

  const linkUrl = vast?.clickThrough ?? ad.linkUrl;
  const controls = createAdControls({
    adId: ad.id,
    linkUrl,
    onFollow() {
      reportAdEvent(prepared.clicks ?? impression, "click");
      return tracker?.click() ?? linkUrl;
    },
    onSkip: isBumper
      ? null
      : () => {
          tracker?.skip();
          reportAdEvent(impression, "skip");
          session.end("skipped");
        },
    sound: {
      isMuted: video.muted,
      onChange(isMuted) {
        isSilenced = false;
        video.muted = isMuted;
        if (!isMuted && video.volume === 0) video.volume = 1;
      },
    },
    linksWholeAd: true,
  });
  controls.setTimes({ ...adTimes({ shownS: 0, isBumper }), leftS: null });
  const root = createElement("div", "spot-break", video, controls.root);
  root.dataset.kind = "video";

  function reportProgress(): void {
    const totalS = durationS();
    tracker?.progress(video.currentTime, totalS);
    for (const [name, share] of quartiles) {
      if (totalS === null || video.currentTime < totalS * share || reached.has(name)) continue;
      reached.add(name);
      reportAdEvent(impression, name);
    }
  }

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
    const leftMs = limits.adFirstFrameMs - waitedMs();
    setTimeout(() => session.end("failed"), Math.max(0, Math.min(unsupportedMs, leftMs)));
  }

  function tryNextFile(): void {
    detach();
    const file = files.shift();
    if (file === undefined) {
      return fail(creative.files.length === 0 ? codes.notSupported : codes.cannotDisplay);
    }
    tracker?.setAsset(file.url);
    detach = attachFile(video, file, () => {
      if (!signal.aborted) tryNextFile();
    });
    video.play().catch((error: unknown) => {
      if (signal.aborted || !(error instanceof DOMException)) return;
      if (error.name !== "NotAllowedError" || video.muted) return;
      // The browser only allows sound after a gesture, so plays without it.
      isSilenced = true;
      video.muted = true;
      video.play().catch(() => {});
    });
  }

  const on = (name: keyof HTMLVideoElementEventMap, handler: () => void) =>
    video.addEventListener(name, handler, { signal });
  on("loadeddata", () => tracker?.loaded());
  on("playing", () => {
    if ("requestVideoFrameCallback" in video) video.requestVideoFrameCallback(show);
    else show();
    tracker?.setMuted(video.muted);
    tracker?.setPaused(false);
  });
  on("timeupdate", () => {
    if (video.currentTime > 0) show();
    reportProgress();
  });
  on("pause", () => {
    if (!video.ended && session.isShown()) tracker?.setPaused(true);
  });
  on("volumechange", () => {
    tracker?.setMuted(video.muted);
    if (!isSilenced) stage.onSoundChange({ isMuted: video.muted, volume: video.volume });
  });
  on("ended", () => {
    reportProgress();
    tracker?.complete();
    reportAdEvent(impression, "complete");
    session.end("completed");
  });
  document.addEventListener(
    "fullscreenchange",
    () => tracker?.setFullscreen(document.fullscreenElement !== null),
    { signal },
  );
  // Registered before the session's own listener, which ends the ad.
  stage.signal.addEventListener(
    "abort",
    () => {
      if (session.isShown() || !hasTimedOut(stage.signal)) return;
      tracker?.error(codes.mediaTimeout);
      reportAdEvent(impression, "error", "media_timeout");
    },
    { signal },
  );

  if (session.mount(root)) tryNextFile();
  return session.ended;
}
