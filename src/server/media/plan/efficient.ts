import { minLadderDurationS } from "#contract/videos/ladders.ts";
import type { MediaFacts } from "../facts/media-facts.ts";
import { toFps } from "../facts/frame-rate.ts";
import { planLargeRungs, planRungs, type Rung } from "./rungs.ts";

/** Processor time for a megapixel of one frame, at the preset that the encoder runs with. */
const encodeS = 0.04;
/** A job that runs longer counts as lost. */
const maxEncodeS = 6 * 3600;
/** SVT-AV1 refuses smaller pictures. */
const smallestSide = 64;
/** AV1 renditions that are not at least so much smaller are not worth their place. */
const minSaving = 0.15;

/** The same picture in fewer bytes, or with the high dynamic range of its source. */
export type Av1Kind = "AV1" | "HDR";

/**
 * The renditions that are made in AV1: all or none of a kind, since players do not change between
 * codecs while they play. A reason for the back office where there are none; null where no one asks
 * for it.
 */
export function planEfficient(
  { video, durationS }: Pick<MediaFacts, "durationS" | "video">,
  kind: Av1Kind,
): { rungs: Rung[] } | { rungs: null; reason: string | null } {
  const refuse = (why: string) => ({ rungs: null, reason: whyNo(kind, why) });
  const fps = toFps(video.fps);
  if (kind === "HDR" && !video.isHdr) return { rungs: null, reason: null };
  // Such a video plays from its one file.
  if (durationS <= minLadderDurationS) return { rungs: null, reason: null };
  // HDR up to 1080 lines is worth it all the same.
  if (kind === "AV1" && planLargeRungs(video.width, video.height, fps).length > 0) {
    return refuse("they are limited to 1080p, and this video is larger");
  }
  const rungs = planRungs(video.width, video.height, fps);
  if (rungs.some(({ width, height }) => Math.min(width, height) < smallestSide)) {
    return refuse("the picture is too small");
  }
  const megapixels = rungs.reduce((sum, { width, height }) => sum + (width * height) / 1e6, 0);
  // One job makes both kinds.
  const kinds = video.isHdr ? 2 : 1;
  if (durationS * fps * megapixels * encodeS * kinds > maxEncodeS) {
    return refuse("encoding a video of this length would take more than six hours");
  }
  return { rungs };
}

/** For the back office. */
export const whyNo = (kind: Av1Kind, why: string): string => `No ${kind} renditions: ${why}.`;

/** Whether these bit rates are worth it, beside those of the same renditions in H.264. */
export function isWorthwhile(av1Bps: readonly number[], h264Bps: readonly number[]): boolean {
  const sum = (rates: readonly number[]) => rates.reduce((total, bps) => total + bps, 0);
  return sum(av1Bps) <= (1 - minSaving) * sum(h264Bps);
}
