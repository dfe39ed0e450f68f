import type { PublicAd } from "../../../../contract/ads.ts";
import { limits } from "../../../../contract/limits.ts";
import type { AdOutcome, AdStage } from "../../player/core/ads/ad-provider.ts";
import { reportSpot, type Display } from "../api/report-spot.ts";
import { watchViewable } from "../core/watch-viewable.ts";
import { spotMessages as messages } from "../messages.ts";
import { orderMediaFiles } from "../vast/media-choice.ts";
import { offsetSeconds } from "../vast/vast-ad.ts";
import { createVastTracker, type VastTracker } from "../vast/vast-tracker.ts";
import { createChrome, make } from "./break-chrome.ts";
import { canPlayType, pixelDeps } from "./browser-vast.ts";
import type { Creative } from "./create-break.ts";
import { drawIcons } from "./video-icons.ts";
import { attachFile } from "./video-source.ts";

interface Film {
  ad: PublicAd;
  display: Display;
  creative: Extract<Creative, { kind: "film" }>;
  mediaPlayheadS?: number;
}

/** Error codes of VAST 4.3, 2.3.6.3. */
const codes = { mediaTimeout: 402, notSupported: 403, cannotDisplay: 405 } as const;
/** A film counts as seen when half of it was on the screen for two seconds. */
const viewableMs = 2000;
/** How long a person is told that the film cannot be played, before the content goes on. */
const unsupportedMs = 1500;

const shares = [
  ["firstQuartile", 0.25],
  ["midpoint", 0.5],
  ["thirdQuartile", 0.75],
] as const;

/**
 * Plays the film of an ad on the stage: tries its files one after another, tells both our server and
 * the ad's what happens, ends at its end, at the skip, or after 15 s.
 */
export function playFilm(film: Film, stage: AdStage): Promise<AdOutcome> {
  const { ad, display, creative } = film;
  const { vast } = creative;
  const tracker: VastTracker | null =
    vast === null
      ? null
      : createVastTracker(vast, pixelDeps, {
          mediaPlayheadS: film.mediaPlayheadS,
          pageUrl: window.location.href,
        });

  return new Promise((resolve) => {
    const startedAtMs = performance.now();
    const life = new AbortController();
    const { signal } = life;
    const files = orderMediaFiles(creative.files, stage.container.clientWidth).filter((file) =>
      canPlayType(file.type),
    );
    let shownAtMs: number | null = null;
    let detach = () => {};
    let timer: ReturnType<typeof setInterval> | undefined;
    const reached = new Set<string>();

    const video = make("video", "spot-break-film", messages.unsupported);
    video.playsInline = true;
    video.muted = stage.isMuted;
    video.volume = stage.volume;
    video.disablePictureInPicture = true;

    const linkUrl = vast?.clickThrough ?? ad.linkUrl;
    const chrome = createChrome({
      linkUrl,
      onFollow() {
        reportSpot(display, "click");
        return tracker?.click() ?? linkUrl;
      },
      onSkip: () => {
        tracker?.skip();
        reportSpot(display, "skip");
        end("skipped");
      },
      sound: {
        isMuted: video.muted,
        onChange(isMuted) {
          video.muted = isMuted;
          if (!isMuted && video.volume === 0) video.volume = 1;
        },
      },
      isPictureLink: true,
    });
    const root = make("div", "spot-break", video, chrome.root);
    root.dataset.kind = "film";

    function end(outcome: AdOutcome): void {
      if (signal.aborted) return;
      if (shownAtMs !== null) tracker?.viewable(false);
      life.abort();
      clearInterval(timer);
      video.pause();
      detach();
      root.remove();
      resolve(outcome);
    }

    /** The media's own length where it is known; the declared one may be wrong or zero. */
    const durationS = () => (Number.isFinite(video.duration) ? video.duration : null);

    function tick(): void {
      const shownS = shownAtMs === null ? 0 : (performance.now() - shownAtMs) / 1000;
      const lastsS = Math.min(durationS() ?? limits.adAutoCompleteS, limits.adAutoCompleteS);
      // VAST counts its offset in the media's time; ours runs with the clock.
      const vastSkipS = vast?.skip ? offsetSeconds(vast.skip, durationS() ?? vast.durationS) : null;
      const skipInS =
        vastSkipS === null
          ? limits.adSkipAfterS - shownS
          : Math.min(vastSkipS, limits.adAutoCompleteS) - video.currentTime;
      const leftS = Math.max(
        0,
        Math.min(lastsS - video.currentTime, limits.adAutoCompleteS - shownS),
      );
      chrome.setTime(skipInS, leftS);
      chrome.setShare(lastsS > 0 ? 1 - leftS / lastsS : 0);
      // Cut off: neither complete nor skipped.
      if (shownS >= limits.adAutoCompleteS) end("completed");
    }

    function show(): void {
      if (shownAtMs !== null || signal.aborted) return;
      shownAtMs = performance.now();
      stage.onVisible();
      reportSpot(display, "impression");
      reportSpot(display, "start");
      tracker?.impression();
      if (vast !== null && vast.icons.length > 0) root.append(drawIcons(vast.icons));
      timer = setInterval(tick, 200);
      tick();
      const stop = watchViewable(root, viewableMs, () => {
        reportSpot(display, "viewable");
        tracker?.viewable(true);
      });
      signal.addEventListener("abort", stop, { once: true });
    }

    function progress(): void {
      const total = durationS();
      tracker?.progress(video.currentTime, total);
      for (const [name, at] of shares) {
        if (total === null || video.currentTime < total * at || reached.has(name)) continue;
        reached.add(name);
        reportSpot(display, name);
      }
    }

    function fail(code: number): void {
      if (signal.aborted) return;
      tracker?.error(code);
      reportSpot(display, "error");
      if (shownAtMs !== null) return end("failed");
      // Nothing was on the screen: say why, for a moment that the content does not miss.
      root.replaceChildren(make("p", "spot-break-sorry", messages.unsupported));
      stage.onVisible();
      const leftMs = limits.adFirstFrameMs - (performance.now() - startedAtMs);
      setTimeout(() => end("failed"), Math.max(0, Math.min(unsupportedMs, leftMs)));
    }

    function tryNext(): void {
      detach();
      const file = files.shift();
      if (file === undefined)
        return fail(creative.files.length === 0 ? codes.notSupported : codes.cannotDisplay);
      tracker?.setAsset(file.url);
      detach = attachFile(video, file, () => {
        if (!signal.aborted) tryNext();
      });
      video.play().catch((error: unknown) => {
        if (signal.aborted || !(error instanceof DOMException)) return;
        if (error.name !== "NotAllowedError" || video.muted) return;
        // Sound needs a gesture that the browser no longer counts: silent is better than nothing.
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
      progress();
    });
    on("pause", () => {
      if (!video.ended && shownAtMs !== null) tracker?.setPaused(true);
    });
    on("volumechange", () => {
      tracker?.setMuted(video.muted);
      stage.onSoundChange({ isMuted: video.muted, volume: video.volume });
    });
    on("ended", () => {
      tracker?.complete();
      reportSpot(display, "complete");
      end("completed");
    });
    document.addEventListener(
      "fullscreenchange",
      () => tracker?.setFullscreen(document.fullscreenElement !== null),
      { signal },
    );
    stage.signal.addEventListener(
      "abort",
      () => {
        // Nothing came in time: the content was waiting for it.
        const waitedMs = performance.now() - startedAtMs;
        if (shownAtMs === null && waitedMs > limits.adFirstFrameMs - 1000) {
          tracker?.error(codes.mediaTimeout);
          reportSpot(display, "error");
        }
        end("failed");
      },
      { once: true },
    );
    if (stage.signal.aborted) return end("failed");

    chrome.setTime(limits.adSkipAfterS, null);
    stage.container.append(root);
    tryNext();
    return undefined;
  });
}
