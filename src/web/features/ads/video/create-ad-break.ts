import { limits } from "../../../../contract/limits.ts";
import type { AdBreak, AdOutcome, AdStage } from "../../player/core/ads/ad-provider.ts";
import { outOfTime } from "../../player/core/ads/out-of-time.ts";
import type { PreparedAd, VideoCreative } from "./creative.ts";
import { playStaticAd } from "./play-static-ad.ts";
import { playVideoAd } from "./play-video-ad.ts";
import "./ad-break.css";

/** An ad break that shows one ad, or the ads of its pod in sequence. */
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
 * A skip ends the whole break. An ad of which nothing is visible in 3 s is passed over, and one that
 * may end after the longest time of a pod is left out.
 */
async function playSequence(
  prepared: PreparedAd<VideoCreative>,
  stage: AdStage,
): Promise<AdOutcome> {
  const { next = [], ...first } = prepared.creative;
  let { isMuted, volume } = stage;
  const withSound = (): AdStage => ({
    ...stage,
    ...{ isMuted, volume },
    onSoundChange(sound) {
      ({ isMuted, volume } = sound);
      stage.onSoundChange(sound);
    },
  });
  const startedAtMs = performance.now();
  let outcome = await playVideoAd({ ...prepared, creative: first }, withSound());
  for (const vast of next) {
    if (outcome === "skipped" || stage.signal.aborted) break;
    const usedS = (performance.now() - startedAtMs) / 1000;
    const lengthS = Math.min(vast.durationS || limits.adAutoCompleteS, limits.adAutoCompleteS);
    if (usedS + lengthS > limits.adPodMaxS) break;
    const creative = { kind: "video", vast, files: vast.mediaFiles } as const;
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(outOfTime()), limits.adFirstFrameMs);
    const onStage = withSound();
    const last = await playVideoAd(
      { ...prepared, impression: null, creative },
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
  return outcome;
}
