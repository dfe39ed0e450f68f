import type { AdOutcome, AdStage } from "#web/features/player/core/ads/ad-provider.ts";
import { reportAdEvent } from "../api/report-ad-event.ts";
import { offerCompanions } from "../core/companions.ts";
import { offsetSeconds } from "../vast/vast-ad.ts";
import { createVastTracker } from "../vast/vast-tracker.ts";
import { createAdControls } from "./ad-controls.ts";
import { renderIcons } from "./ad-icons.ts";
import { createAdSession, type AdSession } from "./ad-session.ts";
import { adTimes } from "./ad-times.ts";
import { createAdVideo } from "./ad-video.ts";
import { pixelDeps } from "./browser-vast.ts";
import { createElement } from "./create-element.ts";
import type { PreparedAd, VideoCreative } from "./creative.ts";
import { playAdFiles, reportTimeout } from "./play-ad-files.ts";
import { reportPlayback } from "./report-playback.ts";

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
      video.element.pause();
    },
  });

  const video = createAdVideo(stage, session.signal);
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
