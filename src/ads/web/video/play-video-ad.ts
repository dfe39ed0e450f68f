import {
  type AdOutcome,
  type AdStage,
  hasTimedOut,
} from "#web/features/player/core/ads/ad-provider.ts";
import { limits } from "#contract/limits.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";
import { reportAdEvent, type Impression } from "../api/report-ad-event.ts";
import { offerCompanions } from "../core/companions.ts";
import { offsetSeconds, type MediaFile } from "../vast/vast-ad.ts";
import { createVastTracker, type VastTracker, quartiles } from "../vast/vast-tracker.ts";
import { createAdControls, adTimes } from "./ad-controls.ts";
import { createAdIcons } from "./ad-icons.ts";
import { createAdSession, type AdSession } from "./ad-session.ts";
import { pixelDeps, canPlayType } from "./browser-vast.ts";
import { createElement } from "../core/create-element.ts";
import type { PreparedAd, VideoCreative } from "./creative.ts";
import { orderMediaFiles, isHls } from "../vast/media-choice.ts";

const messages = inLanguage("ads");

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
  let endCompanions = () => {};
  let wasPlaying = false;

  const session = createAdSession(stage, impression, {
    onTick(shownS) {
      const durationS = video.durationS();
      const times = adTimes({
        shownS,
        isBumper,
        media: {
          positionS: video.element.currentTime,
          durationS,
          skipAtS: vast?.skip ? offsetSeconds(vast.skip, durationS ?? vast.durationS) : null,
        },
      });
      controls.setTimes(times);
      icons.setPosition(video.element.currentTime);
      // A video that is cut off reports neither "complete" nor "skip".
      if (times.isCutOff) session.end("completed");
    },
    onShow() {
      tracker?.impression();
      endCompanions = offerCompanions(ad.id, vast?.companions ?? []);
      if (vast !== null && vast.icons.length > 0) root.append(icons.root);
    },
    onViewable: () => tracker?.viewable(true),
    onAway(isAway) {
      if (!isAway) {
        if (wasPlaying) video.play();
        wasPlaying = false;
      } else if (!video.element.paused) {
        wasPlaying = true;
        video.element.pause();
      }
    },
    onEnd() {
      if (session.isShown()) tracker?.viewable(false);
      endCompanions();
      video.element.pause();
    },
  });

  const video = createAdVideo(stage, session.signal);
  const icons = createAdIcons(vast?.icons ?? [], session);
  const linkUrl = vast?.clickThrough ?? ad.linkUrl;
  const controls = createAdControls({
    adId: ad.id,
    linkUrl,
    onFollow() {
      reportAdEvent(prepared.clicks ?? impression, "click");
      session.follow();
      return tracker?.click() ?? linkUrl;
    },
    onSkip: isBumper
      ? null
      : () => {
          tracker?.skip();
          reportAdEvent(impression, "skip");
          session.end("skipped");
        },
    sound: { isMuted: video.element.muted, onChange: video.setMuted },
    linksWholeAd: true,
  });
  controls.setTimes({ ...adTimes({ shownS: 0, isBumper }), leftS: null });
  video.element.addEventListener("volumechange", () => controls.showMuted(video.element.muted), {
    signal: session.signal,
  });
  prepared.onVideo?.({
    setMuted: video.setMuted,
    togglePlay() {
      if (!session.isShown() || session.signal.aborted) return;
      if (video.element.paused) video.play();
      else video.element.pause();
    },
  });
  const root = createElement("div", "spot-break", video.element, controls.root);
  root.dataset.kind = "video";

  showAtFirstFrame(video.element, session);
  reportPlayback(video, session, { impression, tracker });
  video.element.addEventListener("ended", () => session.end("completed"), {
    signal: session.signal,
  });
  const played = { prepared, stage, session, tracker };
  reportTimeout(played);
  if (session.mount(root)) playAdFiles(played, video, root);
  return session.ended;
}

/** Shows the ad once its first frame is visible. */
function showAtFirstFrame(video: HTMLVideoElement, { show, signal }: AdSession): void {
  video.addEventListener(
    "playing",
    () => {
      if ("requestVideoFrameCallback" in video) video.requestVideoFrameCallback(show);
      else show();
    },
    { signal },
  );
  video.addEventListener(
    "timeupdate",
    () => {
      if (video.currentTime > 0) show();
    },
    { signal },
  );
}

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
function reportTimeout({ prepared, stage, session, tracker }: PlayedAd): void {
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
function playAdFiles(
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

type AdVideo = ReturnType<typeof createAdVideo>;

/**
 * Returns whether the visitor has interacted with the page. Also true in browsers before 2023,
 * which don't report it and decide for themselves.
 */
const hasGesture = (): boolean =>
  !("userActivation" in navigator) || navigator.userActivation.hasBeenActive;

/**
 * Creates an element with the content's volume and mute state. If the visitor changes them during
 * the ad, the content gets the new values.
 * @param signal aborts when the ad ends.
 */
function createAdVideo(stage: AdStage, signal: AbortSignal) {
  const element = createElement("video", "spot-break-video", messages.unsupported);
  element.playsInline = true;
  /** True if the ad is muted for lack of a gesture, which must not mute the content. */
  let isSilenced = !stage.isMuted && !hasGesture();
  element.muted = stage.isMuted || isSilenced;
  element.volume = stage.volume;
  element.disablePictureInPicture = true;
  element.addEventListener(
    "volumechange",
    () => {
      if (isSilenced) return;
      stage.onSoundChange({ isMuted: element.muted, volume: element.volume });
    },
    { signal },
  );

  return {
    element,
    /** Returns the measured duration, because the declared one may be wrong or zero. */
    durationS: () => (Number.isFinite(element.duration) ? element.duration : null),
    /** Mutes or unmutes the ad for the visitor. */
    setMuted(isMuted: boolean) {
      isSilenced = false;
      element.muted = isMuted;
      if (!isMuted && element.volume === 0) element.volume = 1;
    },
    /** Plays the ad. Muted if the browser requires a gesture for sound. */
    play() {
      element.play().catch((error: unknown) => {
        if (signal.aborted || !(error instanceof DOMException)) return;
        if (error.name !== "NotAllowedError" || element.muted) return;
        // The browser only allows sound after a gesture, so plays without it.
        isSilenced = true;
        element.muted = true;
        element.play().catch(() => {});
      });
    },
  };
}

/**
 * Attaches a file to a video element. HLS plays natively if possible, or else with hls.js.
 * @returns a function that detaches the file, after which `onFailure` is not called.
 */
function attachFile(video: HTMLVideoElement, file: MediaFile, onFailure: () => void): () => void {
  const life = new AbortController();
  const fail = () => {
    if (!life.signal.aborted) onFailure();
  };
  video.addEventListener("error", fail, { signal: life.signal });
  let destroy = () => {};
  if (isHls(file.type) && video.canPlayType(file.type) === "") {
    attachHls(video, file.url, fail, life.signal).then((undo) => {
      if (life.signal.aborted) undo();
      else destroy = undo;
    }, fail);
  } else video.src = file.url;
  return () => {
    life.abort();
    destroy();
    video.removeAttribute("src");
    video.load();
  };
}

async function attachHls(
  video: HTMLVideoElement,
  url: string,
  onFailure: () => void,
  signal: AbortSignal,
): Promise<() => void> {
  const { default: Hls } = await import("hls.js");
  if (signal.aborted) return () => {};
  const hls = new Hls({ enableWorker: false, capLevelToPlayerSize: true });
  hls.on(Hls.Events.ERROR, (_event, data) => {
    if (data.fatal) onFailure();
  });
  hls.attachMedia(video);
  hls.loadSource(url);
  return () => hls.destroy();
}

/**
 * Reports the playback of an ad's video to our server and to the ad's servers until the ad ends.
 * @param tracker null for an ad without VAST.
 */
function reportPlayback(
  { element, durationS }: AdVideo,
  { signal, isShown }: AdSession,
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
