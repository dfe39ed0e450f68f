import type { Ratio, VideoFacts } from "../facts/media-facts.ts";
import { toFps } from "../facts/frame-rate.ts";

/** Optional filters of this machine's ffmpeg. */
export interface FilterAbilities {
  hasZscale: boolean;
  hasDeinterlacer: boolean;
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
  const isToneMapped = video.isHdr && target.isHdr !== true;
  if (isToneMapped) chain.push(...planFit(video, size), ...planToneMap(video, abilities));
  else chain.push(...planColors(video), ...planFit(video, size, ":out_range=tv"));
  chain.push("setsar=1", target.isHdr === true ? "format=yuv420p10le" : "format=yuv420p");
  chain.push(...planTurn(video));
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
export function inputOptions(video: VideoFacts): string[] {
  return ["-noautorotate", ...(video.isInterlaced ? [] : ["-reinit_filter:v", "0"])];
}

/** Maximum difference of proportions without bars, as between 1080 and 1088 lines. */
const sameShape = 0.03;

/**
 * Returns filters that scale all frames to one size. Frames of other proportions, which follow a
 * turned phone or a changed window in the middle of a recording, get bars.
 */
function planFit(
  { codedWidth, codedHeight, sar }: VideoFacts,
  { width, height }: { width: number; height: number },
  options = "",
): string[] {
  const isUsual = `lt(abs(iw/ih*${codedHeight}/${codedWidth}-1),${sameShape})`;
  const shape = `iw/ih*${sar.num}/${sar.den}`;
  const even = (size: string) => `max(2,2*floor(${size}/2))`;
  const fitted = {
    width: `if(${isUsual},${width},${even(`min(${width},${height}*${shape})`)})`,
    height: `if(${isUsual},${height},${even(`min(${height},${width}/(${shape}))`)})`,
  };
  return [
    `scale=w='${fitted.width}':h='${fitted.height}':eval=frame${options}`,
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

/**
 * Returns filters from HDR to SDR. They use floats, so they run after scaling down: linear light at
 * the 203 nits of reference white (BT.2408), the Hable curve, BT.709.
 */
function planToneMap(video: VideoFacts, abilities: FilterAbilities): string[] {
  const matrix = video.colorMatrix ?? "bt2020nc";
  if (!abilities.hasZscale) {
    return [
      "scale=in_color_matrix=bt2020:out_color_matrix=bt709:out_range=tv",
      "setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709",
    ];
  }
  const source = [
    `matrixin=${zscaleMatrix[matrix] ?? "2020_ncl"}`,
    `primariesin=${zscalePrimaries[video.colorPrimaries ?? "bt2020"] ?? "2020"}`,
    `transferin=${video.colorTransfer === "smpte2084" ? "smpte2084" : "arib-std-b67"}`,
    `rangein=${video.isFullRange ? "full" : "limited"}`,
  ];
  return [
    `zscale=${source.join(":")}:transfer=linear:npl=203`,
    "format=gbrpf32le",
    "zscale=primaries=709",
    "tonemap=tonemap=hable:desat=0",
    "zscale=transfer=709:matrix=709:primaries=709:range=limited",
  ];
}

const zscaleMatrix: Record<string, string> = {
  bt2020nc: "2020_ncl",
  bt2020c: "2020_cl",
  bt709: "709",
};
const zscalePrimaries: Record<string, string> = {
  bt2020: "2020",
  bt709: "709",
  smpte432: "smpte432",
};

/**
 * Returns a filter that declares missing colour properties based on the source's size, as players
 * do. For a smaller rendition, players would guess differently.
 */
function planColors(video: VideoFacts): string[] {
  const isHd = video.codedWidth >= 1280 || video.codedHeight > 576;
  const guess = isHd ? "bt709" : "smpte170m";
  const missing = [
    ...(video.colorMatrix === null ? [`colorspace=${video.isHdr ? "bt2020nc" : guess}`] : []),
    ...(video.colorPrimaries === null ? [`color_primaries=${video.isHdr ? "bt2020" : guess}`] : []),
    ...(video.colorTransfer === null ? [`color_trc=${guess}`] : []),
  ];
  return missing.length > 0 ? [`setparams=${missing.join(":")}`] : [];
}
