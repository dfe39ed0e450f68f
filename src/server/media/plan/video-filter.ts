import { toFps, type Ratio, type VideoFacts } from "../facts/media-facts.ts";
import { nameReservedColors, planColors, replaceUnreadMatrix } from "./colors.ts";

/** Abilities of this machine's ffmpeg. */
export interface FilterAbilities {
  /** True if it has this optional filter. */
  hasDeinterlacer: boolean;
  /** True if its decoders of AC-3 can mix to stereo. */
  hasDownmix: boolean;
  /** True if its filters refuse frames with reserved colors, as since version 7. */
  refusesReservedColors: boolean;
  /** Folder of the lookup tables for colors, see `color-table.ts`. */
  tablesFolder: string;
}

export interface FrameTarget {
  width: number;
  height: number;
  /** Null preserves the frame rate (single frames). */
  fps: Ratio | null;
  /** Seconds to hold the last frame if the audio is longer than the video. */
  holdLastS?: number;
  /** True to preserve the source's high dynamic range, in 10 bits. */
  isHdr?: boolean;
}

/**
 * Returns the filter chain. Unless the target is HDR, it converts decoded frames to upright,
 * progressive frames of one size with square pixels, 8-bit 4:2:0, limited range and standard
 * dynamic range. Requires `inputOptions` before `-i`.
 */
export function planVideoFilter(
  video: VideoFacts,
  target: FrameTarget,
  abilities: FilterAbilities,
): string {
  const chain: string[] = [];
  if (video.isInterlaced && abilities.hasDeinterlacer) {
    chain.push("bwdif=mode=send_frame:deint=interlaced");
  }
  // start_time=0 repeats the first frame if the video starts after the audio.
  const rate = target.fps === null ? null : `fps=${target.fps.num}/${target.fps.den}:start_time=0`;
  // Frames are dropped before the expensive filters but repeated after them.
  const dropsFrames = target.fps !== null && toFps(video.fps) > toFps(target.fps) * 1.02;
  if (rate !== null && dropsFrames) chain.push(rate);
  const isTurned = video.rotationDeg % 180 !== 0;
  const size = isTurned ? { width: target.height, height: target.width } : target;
  const preservesHdr = target.isHdr === true;
  const colors = planColors(video, { ...abilities, preservesHdr });
  chain.push(...replaceUnreadMatrix(video), ...planFit(video, size, colors));
  chain.push(...colors.filters, "setsar=1", ...planTurn(video));
  if (rate !== null && !dropsFrames) chain.push(rate);
  if (target.holdLastS !== undefined && target.holdLastS > 0) {
    chain.push(`tpad=stop_mode=clone:stop_duration=${target.holdLastS.toFixed(3)}`);
  }
  return chain.join(",");
}

/**
 * Returns options before `-i` for runs with a filter of `planVideoFilter`, which rotates by itself
 * and accepts frames of several sizes. Deinterlacing needs frames of one size, so ffmpeg then starts
 * the filters over.
 */
export function inputOptions(
  video: VideoFacts,
  abilities: Pick<FilterAbilities, "refusesReservedColors">,
): string[] {
  return [
    "-noautorotate",
    ...(video.isInterlaced ? [] : ["-reinit_filter:v", "0"]),
    ...nameReservedColors(video, abilities),
  ];
}

/** Maximum difference of proportions without bars, as between 1080 and 1088 lines. */
const sameShape = 0.03;

/**
 * Returns filters that scale all frames to one size. Frames of other proportions, which follow a
 * turned phone or a changed window in the middle of a recording, get bars.
 */
function planFit(
  { codedWidth, codedHeight, sar, pixelFormat }: VideoFacts,
  { width, height }: { width: number; height: number },
  { scaleOptions, format }: { scaleOptions: string; format: string },
): string[] {
  const isUsual = `lt(abs(iw/ih*${codedHeight}/${codedWidth}-1),${sameShape})`;
  const shape = `iw/ih*${sar.num}/${sar.den}`;
  const even = (size: string) => `max(2,2*floor(${size}/2))`;
  const fitted = {
    width: `if(${isUsual},${width},${even(`min(${width},${height}*${shape})`)})`,
    height: `if(${isUsual},${height},${even(`min(${height},${width}/(${shape}))`)})`,
  };
  return [
    // The scaler always converts palettes to YUV by BT.601.
    ...(pixelFormat === "pal8" ? ["format=gbrp"] : []),
    `scale=w='${fitted.width}':h='${fitted.height}':eval=frame${scaleOptions}`,
    `format=${format}`,
    `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2:eval=frame`,
  ];
}

/** Returns filters that mirror and rotate frames as their display matrix says. */
function planTurn({ isMirrored, rotationDeg, displayMatrix }: VideoFacts): string[] {
  const turn = {
    0: [],
    90: ["transpose=clock"],
    180: ["hflip", "vflip"],
    270: ["transpose=cclock"],
  }[rotationDeg];
  const hasMatrix = isMirrored || rotationDeg !== 0 || displayMatrix !== "plain";
  return [
    ...(isMirrored ? ["hflip"] : []),
    ...turn,
    // Otherwise newer versions of ffmpeg write the matrix into the output.
    ...(hasMatrix ? ["sidedata=delete:type=DISPLAYMATRIX"] : []),
  ];
}
