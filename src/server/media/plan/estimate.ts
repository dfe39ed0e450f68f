import { planFrameRate, toFps, type MediaFacts, type Ratio } from "../facts/media-facts.ts";
import { planLargeRungs, planQuickRung, planRungs } from "./rungs.ts";

/** Estimated processor time of a video's steps in seconds. It determines the order of queues. */
export interface WorkEstimate {
  quickS: number;
  picturesS: number;
  ladderS: number;
  /** Time for renditions above 1080 lines; 0 if there are none. */
  largeS: number;
}

/**
 * Seconds per megapixel of one frame. Measured: 1080p25 H.264 to four rungs takes 1.4 s per second.
 */
const encodeS = 0.012;
const decodeS: Record<string, number> = { hevc: 0.01, av1: 0.012, vp9: 0.008, prores: 0.015 };
const otherDecodeS = 0.006;
/** Tone mapping uses floats. */
const toneMapS = 0.05;
/** Seconds to decode and encode one second of audio. */
const soundS = 0.01;

/**
 * Estimates the time for the ladder of a playable video. Assumes an H.264 source with 30 frames per
 * second.
 */
export function estimateLadderS(video: {
  width: number;
  height: number;
  durationS: number;
}): number {
  const fps = 30;
  const sizes = planRungs(video.width, video.height, fps);
  const large = planLargeRungs(video.width, video.height, fps);
  const pixels = [...sizes, ...large].reduce((sum, { width, height }) => sum + width * height, 0);
  const decoded = video.width * video.height * (1 + large.length);
  return (video.durationS * fps * (decoded * otherDecodeS + pixels * encodeS)) / 1e6;
}

/** @param outputRate frame rate of the renditions. Slow sources get additional frames. */
export function estimateWork(
  { video, audio, durationS }: MediaFacts,
  outputRate: Ratio = planFrameRate(video.fps, null),
): WorkEstimate {
  const fps = Math.min(toFps(video.fps), 240);
  const decoded = durationS * fps;
  const encoded = durationS * toFps(outputRate);
  const sound = audio === null ? 0 : durationS * soundS;
  const megapixels = (width: number, height: number): number => (width * height) / 1e6;
  const perDecoded =
    megapixels(video.codedWidth, video.codedHeight) * (decodeS[video.codec] ?? otherDecodeS);
  const perEncoded = (rungs: { width: number; height: number }[]): number => {
    const sizes = rungs.map(({ width, height }) => megapixels(width, height));
    const sum = sizes.reduce((total, size) => total + size * encodeS, 0);
    return sum + (video.isHdr ? Math.max(...sizes) * toneMapS : 0);
  };
  const large = planLargeRungs(video.width, video.height, fps);
  const quick = planQuickRung(video.width, video.height, fps);
  return {
    quickS: decoded * perDecoded + encoded * perEncoded([quick]) + sound,
    // A few seconds at each seek position.
    picturesS: 1 + Math.min(durationS, 8) * fps * perDecoded,
    ladderS:
      decoded * perDecoded +
      encoded * perEncoded(planRungs(video.width, video.height, fps)) +
      sound,
    // Each rendition is a separate pass.
    largeS: large.reduce(
      (sum, rung) => sum + decoded * perDecoded + encoded * perEncoded([rung]),
      0,
    ),
  };
}
