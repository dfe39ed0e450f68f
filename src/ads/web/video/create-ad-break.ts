import { limits } from "#contract/limits.ts";
import {
  type AdBreak,
  type AdOutcome,
  type AdStage,
  outOfTime,
} from "#web/features/player/core/ads/ad-provider.ts";
import { noteBreak } from "../core/last-break.ts";
import { noteOnPage } from "../core/page-ads.ts";
import type { PreparedAd, VideoCreative } from "./creative.ts";
import { playStaticAd } from "./play-static-ad.ts";
import { playVideoAd } from "./play-video-ad.ts";
import "./ad-break.css";

/** Maximum number of ads in one break. Their total time is limited too. */
export const maxPodAds = 6;

/**
 * Creates an ad break of a video. If something was visible, the delay until the next break starts
 * at its end.
 * @param findNext finds a replacement if the ad's files can't be loaded.
 */
export function createCountedBreak(
  prepared: PreparedAd,
  findNext?: (signal: AbortSignal) => Promise<AdBreak | null>,
): AdBreak {
  const { play } = createAdBreak({ ...prepared, hasNext: findNext !== undefined });
  return {
    async play(stage) {
      let wasVisible = false;
      const onVisible = () => {
        wasVisible = true;
        stage.onVisible();
      };
      const leave = noteOnPage(stage, prepared.ad.id);
      const outcome = await play({ ...stage, onVisible }).finally(leave);
      if (wasVisible) noteBreak();
      const isOver = outcome !== "failed" || wasVisible || stage.signal.aborted;
      if (isOver || findNext === undefined) return outcome;
      const next = await findNext(stage.signal);
      return next === null ? outcome : next.play(stage);
    },
  };
}

/** Creates an ad break that shows one ad, or the ads of its pod in sequence. */
export function createAdBreak(prepared: PreparedAd): AdBreak {
  const { creative } = prepared;
  return {
    async play(stage) {
      try {
        return creative.kind === "video"
          ? await playSequence({ ...prepared, creative }, stage)
          : await playStaticAd({ ...prepared, creative }, stage);
      } catch (error) {
        console.warn("an ad failed", error);
        return "failed";
      }
    },
  };
}

/**
 * Plays a pod. A skip ends the whole break. Ads that show nothing within 3 s are skipped, and ads
 * that may exceed the pod's maximum time are left out. The first ad shown counts as the impression.
 */
async function playSequence(
  prepared: PreparedAd<VideoCreative>,
  stage: AdStage,
): Promise<AdOutcome> {
  const { next = [], podMaxS = 0, onAd, ...first } = prepared.creative;
  let { isMuted, volume } = stage;
  const withSound = (): AdStage => ({
    ...stage,
    isMuted,
    volume,
    onSoundChange(sound) {
      ({ isMuted, volume } = sound);
      stage.onSoundChange(sound);
    },
  });
  const startedAtMs = performance.now();
  onAd?.(0);
  let outcome = await playVideoAd({ ...prepared, creative: first }, withSound());
  for (const [index, vast] of next.entries()) {
    if (prepared.ad.isBumper) break;
    if (outcome === "skipped" || stage.signal.aborted) break;
    const usedS = (performance.now() - startedAtMs) / 1000;
    const lengthS = Math.min(vast.durationS || limits.adAutoCompleteS, limits.adAutoCompleteS);
    if (usedS + lengthS > podMaxS) break;
    const creative = { kind: "video", vast, files: vast.mediaFiles } as const;
    onAd?.(index + 1);
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(outOfTime()), limits.adFirstFrameMs);
    const onStage = withSound();
    const last = await playVideoAd(
      {
        ...prepared,
        impression: outcome === "failed" ? prepared.impression : null,
        clicks: prepared.impression,
        creative,
      },
      {
        ...onStage,
        signal: AbortSignal.any([stage.signal, ending.signal]),
        onVisible() {
          clearTimeout(timer);
          stage.onVisible();
        },
      },
    );
    clearTimeout(timer);
    // The first ad decides whether the break failed.
    if (last !== "failed") outcome = last;
  }
  onAd?.(null);
  return outcome;
}
