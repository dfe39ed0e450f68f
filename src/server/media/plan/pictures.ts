import type { VideoFacts } from "../probe/media-facts.ts";
import type { PictureFormat } from "./input-guards.ts";
import { guardPicture } from "./input-guards.ts";
import { sampleFrames, sampleSize } from "./frame-score.ts";
import { fitBox } from "./rungs.ts";
import { planVideoFilter, type FilterAbilities } from "./video-filter.ts";

/** Where frames are taken from: the source, or a rendition of it. */
export interface FrameSource {
  /** The file that the arguments name. */
  path: string;
  /** Everything up to and including `-i`, to be preceded by `-ss`. */
  inputArgs: string[];
  video: VideoFacts;
}

/** Twice the pixels of most phones' width: a poster must not delay the video that it announces. */
const posterBox = { width: 960, height: 960 };
const thumbnailBox = { width: 640, height: 640 };

export interface PictureSizes {
  poster: { width: number; height: number };
  thumbnail: { width: number; height: number };
}

export function planPictureSizes(video: Pick<VideoFacts, "width" | "height">): PictureSizes {
  return {
    poster: fitBox(video.width, video.height, posterBox),
    thumbnail: fitBox(video.width, video.height, thumbnailBox),
  };
}

/** Positions of candidates for a poster, as shares of the duration; of equal ones the first is taken. */
const framePositions = [0.25, 0.5, 0.1, 0.75, 0.4, 0.9, 0] as const;
/** Candidates of a shorter video are almost the same. */
const variedS = 2;

export const listCandidates = (durationS: number): number[] =>
  (durationS < variedS ? [0.25, 0] : framePositions).map((place) => place * durationS);

/** Small frames from a position on, an eighth of a second apart, in RGB on standard output. */
export function sampleArgs(frames: FrameSource, atS: number, abilities: FilterAbilities): string[] {
  const filter = planVideoFilter(frames.video, { ...sampleSize, fps: null }, abilities);
  return [
    ...(atS > 0 ? ["-ss", atS.toFixed(3)] : []),
    ...frames.inputArgs,
    ...["-filter_complex", `[0:${frames.video.index}]${filter},fps=8,format=rgb24[sample]`],
    ...["-map", "[sample]", "-frames:v", String(sampleFrames)],
    ...["-c:v", "rawvideo", "-f", "rawvideo", "pipe:1"],
  ];
}

/** One frame as JPEG poster and as thumbnail. JPEG and WebP always use BT.601. */
export function posterArgs(
  frames: FrameSource,
  atS: number,
  sizes: PictureSizes,
  outputs: { posterPath: string; thumbnailPath: string; isWebp: boolean },
  abilities: FilterAbilities,
): string[] {
  const base = planVideoFilter(frames.video, { ...sizes.poster, fps: null }, abilities);
  const { width, height } = sizes.thumbnail;
  const webp = `scale=${width}:${height}:out_color_matrix=bt601:out_range=tv,format=yuv420p`;
  const jpeg = `scale=${width}:${height}:out_color_matrix=bt601:out_range=pc,format=yuvj420p`;
  const graph = [
    `[0:${frames.video.index}]${base},split=2[a][b]`,
    `[a]scale=out_color_matrix=bt601:out_range=pc,format=yuvj420p[poster]`,
    `[b]${outputs.isWebp ? webp : jpeg}[thumbnail]`,
  ].join(";");
  return [
    ...(atS > 0 ? ["-ss", atS.toFixed(3)] : []),
    ...frames.inputArgs,
    ...["-filter_complex", graph],
    ...["-map", "[poster]", "-frames:v", "1", "-c:v", "mjpeg", "-q:v", "7"],
    ...imageOutput(outputs.posterPath),
    ...["-map", "[thumbnail]", "-frames:v", "1", ...thumbnailCodec(outputs.isWebp)],
    ...imageOutput(outputs.thumbnailPath),
  ];
}

/** Size of the thumbnail of a picture, after the rotation by a filter. */
export function planThumbnailSize(
  shown: { width: number; height: number },
  turn: string | null,
): { width: number; height: number } {
  const isTurned = turn?.startsWith("transpose") === true;
  return isTurned
    ? fitBox(shown.height, shown.width, thumbnailBox)
    : fitBox(shown.width, shown.height, thumbnailBox);
}

/** A thumbnail from an uploaded picture, encoded again without its metadata. */
export function thumbnailArgs(
  format: PictureFormat,
  sourcePath: string,
  plan: {
    thumbnailPath: string;
    isWebp: boolean;
    turn: string | null;
    size: { width: number; height: number };
  },
): string[] {
  const range = plan.isWebp ? "out_range=tv,format=yuv420p" : "out_range=pc,format=yuvj420p";
  const chain = [
    ...(plan.turn === null ? [] : [plan.turn]),
    `scale=${plan.size.width}:${plan.size.height}:out_color_matrix=bt601:${range}`,
    "setsar=1",
  ];
  return [
    ...["-noautorotate", "-threads", "1"],
    ...guardPicture(format, sourcePath),
    ...["-map", "0:v:0", "-frames:v", "1", "-map_metadata", "-1", "-vf", chain.join(",")],
    ...thumbnailCodec(plan.isWebp),
    ...imageOutput(plan.thumbnailPath),
  ];
}

/** Icons are shown small; this suffices for the densest screens. */
const iconBox = 256;

/** A logo or favicon as PNG, so that what is transparent stays so. The source may be turned. */
export function iconArgs(
  format: PictureFormat,
  sourcePath: string,
  plan: { iconPath: string; turn: string | null },
): string[] {
  const chain = [
    ...(plan.turn === null ? [] : [plan.turn]),
    "format=rgba",
    `scale=w='min(${iconBox},iw)':h='min(${iconBox},ih)':force_original_aspect_ratio=decrease`,
    "setsar=1",
  ];
  return [
    ...["-noautorotate", "-threads", "1"],
    ...guardPicture(format, sourcePath),
    ...["-map", "0:v:0", "-frames:v", "1", "-map_metadata", "-1", "-vf", chain.join(",")],
    ...["-c:v", "png", "-pix_fmt", "rgba"],
    ...imageOutput(plan.iconPath),
  ];
}

function thumbnailCodec(isWebp: boolean): string[] {
  return isWebp ? ["-c:v", "libwebp", "-quality", "80"] : ["-c:v", "mjpeg", "-q:v", "4"];
}

function imageOutput(path: string): string[] {
  return ["-fflags", "+bitexact", "-f", "image2", "-update", "1", `file:${path}`];
}
