import { minLadderDurationS } from "#contract/videos/ladders.ts";
import { toFps, type MediaFacts } from "../facts/media-facts.ts";
import { canPreserveHdr } from "./colors.ts";
import { planLargeRungs, planRungs, type Rung } from "./rungs.ts";

/** Processor time per megapixel of one frame, at the encoder's preset. */
const encodeS = 0.04;
/** Maximum processor time. Longer jobs count as lost. */
const maxEncodeS = 6 * 3600;
/** Minimum side of a picture that SVT-AV1 accepts. */
const smallestSide = 64;
/** Minimum saving in size for which AV1 renditions are worth their space. */
const minSaving = 0.15;

/** Kind of AV1 renditions: fewer bytes for the same picture, or the source's high dynamic range. */
export type Av1Kind = "AV1" | "HDR";

/**
 * Returns the renditions to make in AV1. It is all or none of a kind, because players don't switch
 * codecs during playback. If there are none, also returns the reason for the back office, or null
 * if none were requested.
 */
export function planAv1(
  { video, durationS }: MediaFacts,
  kind: Av1Kind,
): { rungs: Rung[] } | { rungs: null; reason: string | null } {
  const refuse = (why: string) => ({ rungs: null, reason: skipReason(kind, why) });
  const fps = toFps(video.fps);
  if (kind === "HDR" && !video.isHdr) return { rungs: null, reason: null };
  if (kind === "HDR" && !canPreserveHdr(video)) {
    return refuse("only Dolby Vision screens show the colors of this video");
  }
  // A video this short plays from its single file.
  if (durationS <= minLadderDurationS) return { rungs: null, reason: null };
  // HDR is worth it even if it is limited to 1080 lines.
  if (kind === "AV1" && planLargeRungs(video.width, video.height, fps).length > 0) {
    return refuse("they are limited to 1080p, and this video is larger");
  }
  const rungs = planRungs(video.width, video.height, fps);
  if (rungs.some(({ width, height }) => Math.min(width, height) < smallestSide)) {
    return refuse("the picture is too small");
  }
  const megapixels = rungs.reduce((sum, { width, height }) => sum + (width * height) / 1e6, 0);
  // One job makes both kinds.
  const kinds = canPreserveHdr(video) ? 2 : 1;
  if (durationS * fps * megapixels * encodeS * kinds > maxEncodeS) {
    return refuse("encoding a video of this length would take more than six hours");
  }
  return { rungs };
}

/** Formats the reason for the back office. */
export const skipReason = (kind: Av1Kind, why: string): string => `No ${kind} renditions: ${why}.`;

/**
 * Returns whether these bit rates are enough of an improvement over the same renditions in H.264.
 */
export function isWorthwhile(av1Bps: readonly number[], h264Bps: readonly number[]): boolean {
  const sum = (rates: readonly number[]) => rates.reduce((total, bps) => total + bps, 0);
  return sum(av1Bps) <= (1 - minSaving) * sum(h264Bps);
}
