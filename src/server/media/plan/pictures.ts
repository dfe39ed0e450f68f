import { fitBox, posterBox, thumbnailBox } from "#contract/videos/picture-sizes.ts";
import { smallWidthOf } from "#contract/videos/thumbnail-files.ts";
import type { ToolReport } from "../find-tools.ts";
import type { MediaFacts, Ratio, VideoFacts } from "../facts/media-facts.ts";
import type { PacketScan } from "../facts/packet-scan.ts";
import type { PictureFormat } from "../facts/input-guards.ts";
import { withJumps } from "../facts/jumps.ts";
import { guardPicture } from "../facts/input-guards.ts";
import { sampleFrames, sampleSize } from "./frame-score.ts";
import { openSource, type OpenSource } from "./open-source.ts";
import { planVideoFilter, type FilterAbilities } from "./video-filter.ts";

/** Origin of frames: the source or a rendition. */
export interface FrameSource extends Pick<MediaFacts, "container" | "video" | "jumps"> {
  path: string;
  /** Options of each input. */
  options: string[];
  /** Rate at which frames of a timeline are read. */
  fps: Ratio;
  /** Seconds by which the frame that is visible at a position may be older; 0 if hardly. */
  leadS: number;
}

/** Maximum distance of frames without a lead. */
const usualGapS = 0.5;

/**
 * Returns how far before a moment a frame may be. Decodes at most about `maxFrames` more frames for
 * it.
 */
export const planLeadS = (
  { maxFrameGapS, averageFps }: Pick<PacketScan, "maxFrameGapS" | "averageFps">,
  maxFrames: number,
): number =>
  maxFrameGapS <= usualGapS ? 0 : Math.min(maxFrameGapS, maxFrames / Math.max(averageFps, 0.001));

/**
 * Opens the pictures of a source from a position on. For slow videos, it reads earlier, because
 * ffmpeg drops all frames before a position, and repeats frames until that position.
 */
export function openFrames(
  frames: FrameSource,
  startS: number,
  lengthS: number,
): Pick<OpenSource, "inputs"> & { graph: string } {
  const fromS = withJumps(startS, frames.jumps);
  const leadS = frames.video.timeline === null ? Math.min(frames.leadS, fromS) : 0;
  const window = { startS: fromS - leadS, endS: fromS + lengthS };
  const source = openSource(frames, frames.path, { options: frames.options, window });
  const graph = source.picture(frames.fps);
  if (leadS === 0) return { graph, inputs: source.inputs };
  const hold = [`fps=${sampleRate}:start_time=0`, `trim=start=${leadS.toFixed(3)}`];
  return { graph: `${graph}${[...hold, "setpts=PTS-STARTPTS,"].join(",")}`, inputs: source.inputs };
}

/** Frames per second of a sample, and of slow videos until a position. */
const sampleRate = 8;

export function planPictureSizes(video: VideoFacts) {
  return {
    poster: fitBox(video.width, video.height, posterBox),
    thumbnail: fitBox(video.width, video.height, thumbnailBox),
  };
}

/** File of a thumbnail. */
export interface ThumbnailFile {
  name: string;
  width: number;
  height: number;
  codec: "webp" | "avif" | "jpeg";
}

/** Returns the files of a thumbnail of this size, main one first; see `findThumbnailSet`. */
export function planThumbnailFiles(
  size: { width: number; height: number },
  encoders: ToolReport,
): [ThumbnailFile, ...ThumbnailFile[]] {
  if (!encoders.hasWebp) return [{ ...size, name: "thumbnail.jpg", codec: "jpeg" }];
  if (!encoders.hasAvif) return [{ ...size, name: "thumbnail.webp", codec: "webp" }];
  const width = smallWidthOf(size.width);
  const small = { width, height: Math.max(2, Math.round((size.height * width) / size.width)) };
  const file = (of: typeof size, codec: "webp" | "avif"): ThumbnailFile => ({
    ...of,
    name: `w${of.width}.${codec}`,
    codec,
  });
  return [file(size, "webp"), file(small, "webp"), file(size, "avif"), file(small, "avif")];
}

/**
 * Positions of poster candidates as fractions of the duration. If several are equally good, the
 * first wins.
 */
const framePositions = [0.25, 0.5, 0.1, 0.75, 0.4, 0.9, 0] as const;
/** Minimum duration. In shorter videos, the candidates are almost the same. */
const variedS = 2;

export const listCandidates = (durationS: number): number[] =>
  (durationS < variedS ? [0.25, 0] : framePositions).map((place) => place * durationS);

/**
 * Returns arguments that write small frames to standard output in RGB, an eighth of a second apart,
 * starting at a position.
 */
export function sampleArgs(
  frames: FrameSource,
  atS: number,
  abilities: FilterAbilities,
  count = sampleFrames,
): string[] {
  const filter = planVideoFilter(frames.video, { ...sampleSize, fps: null }, abilities);
  const source = openFrames(frames, atS, (count + 1) / sampleRate);
  const graph = `${source.graph}${filter},fps=${sampleRate},format=rgb24[sample]`;
  return [
    ...source.inputs,
    ...["-filter_complex", graph],
    ...["-map", "[sample]", "-frames:v", String(count)],
    ...["-c:v", "rawvideo", "-f", "rawvideo", "pipe:1"],
  ];
}

/** Returns arguments that write one frame as a JPEG poster and as thumbnail files. */
export function posterArgs(
  frames: FrameSource,
  atS: number,
  size: { width: number; height: number },
  outputs: { posterPath: string; folder: string; files: readonly ThumbnailFile[] },
  abilities: FilterAbilities,
): string[] {
  const base = planVideoFilter(frames.video, { ...size, fps: null }, abilities);
  const thumbnails = planThumbnailOutputs(outputs.folder, outputs.files);
  const source = openFrames(frames, atS, frames.fps.den / frames.fps.num);
  const graph = [
    `${source.graph}${base},split=2[a][b]`,
    `[a]scale=out_color_matrix=bt601:out_range=pc,format=yuvj420p[poster]`,
    `[b]${thumbnails.filter}`,
  ].join(";");
  return [
    ...source.inputs,
    ...["-filter_complex", graph],
    ...["-map", "[poster]", "-frames:v", "1", "-c:v", "mjpeg", "-q:v", "7", ...pictureRate],
    ...imageOutput(outputs.posterPath),
    ...thumbnails.args,
  ];
}

/** Returns the size of a picture within a box after a filter has rotated it. */
export function planTurnedSize(
  shown: { width: number; height: number },
  turn: string | null,
  box: { width: number; height: number },
): { width: number; height: number } {
  const isTurned = turn?.startsWith("transpose") === true;
  return isTurned ? fitBox(shown.height, shown.width, box) : fitBox(shown.width, shown.height, box);
}

/**
 * Filters that remove Exif data, such as the position, and the orientation. ffmpeg 8.1 writes both
 * into the output. 31 is Exif data, which filters can't name. Older versions ignore it.
 */
const withoutExif = "sidedata=delete:type=DISPLAYMATRIX,sidedata=delete:type=31";

/** Filters that make transparent parts black. */
const blackGround = "format=gbrap,premultiply=inplace=1";

/**
 * Returns arguments that make thumbnail files from an uploaded picture. It is encoded again without
 * metadata, and transparent parts become black.
 */
export function thumbnailArgs(
  format: PictureFormat,
  sourcePath: string,
  plan: { folder: string; files: readonly ThumbnailFile[]; turn: string | null },
): string[] {
  const thumbnails = planThumbnailOutputs(plan.folder, plan.files);
  const chain = [
    ...(plan.turn === null ? [] : [plan.turn]),
    withoutExif,
    ...(format === "jpeg_pipe" ? [] : [blackGround]),
    "setsar=1",
    thumbnails.filter,
  ];
  return [
    "-noautorotate",
    ...guardPicture(format, sourcePath),
    ...["-filter_complex", `[0:v:0]${chain.join(",")}`],
    ...thumbnails.args,
  ];
}

/** Maximum side of an icon. Sharp enough for the densest screens. */
const iconBox = 256;

/**
 * Returns arguments for a logo or favicon as PNG, which preserves transparency. The source may be
 * rotated.
 */
export function iconArgs(
  format: PictureFormat,
  sourcePath: string,
  plan: { iconPath: string; turn: string | null },
): string[] {
  const chain = [
    ...(plan.turn === null ? [] : [plan.turn]),
    withoutExif,
    "format=rgba",
    `scale=w='min(${iconBox},iw)':h='min(${iconBox},ih)':force_original_aspect_ratio=decrease`,
    "setsar=1",
  ];
  return [
    "-noautorotate",
    ...guardPicture(format, sourcePath),
    ...["-map", "0:v:0", "-frames:v", "1", "-map_metadata", "-1", "-vf", chain.join(",")],
    ...["-c:v", "png", "-pix_fmt", "rgba"],
    ...imageOutput(plan.iconPath),
  ];
}

/** Sides of podcast artwork in pixels. Apple requires 1400 to 3000. */
const artworkSide = 1400;

/** Returns arguments for podcast artwork. Transparent parts become black. */
export function artworkArgs(
  format: PictureFormat,
  sourcePath: string,
  plan: { artworkPath: string; turn: string | null },
): string[] {
  const side = `${artworkSide}:${artworkSide}`;
  const chain = [
    ...(plan.turn === null ? [] : [plan.turn]),
    withoutExif,
    `${blackGround},format=yuv444p`,
    `scale=${side}:force_original_aspect_ratio=increase:flags=lanczos`,
    `crop=${side},setsar=1,format=yuvj420p`,
  ];
  return [
    "-noautorotate",
    ...guardPicture(format, sourcePath),
    ...["-map", "0:v:0", "-frames:v", "1", "-map_metadata", "-1", "-vf", chain.join(",")],
    ...["-c:v", "mjpeg", "-q:v", "4"],
    ...imageOutput(plan.artworkPath),
  ];
}

/** Returns output arguments for a picture in its own size, turned upright and without metadata. */
export function cleanOutput(
  format: PictureFormat,
  path: string,
  turn: string | null,
  isLossless: boolean,
): string[] {
  const codec = {
    jpeg_pipe: ["mjpeg", "-q:v", "3"],
    png_pipe: ["png", "-pred", "mixed"],
    webp_pipe: ["libwebp", ...(isLossless ? ["-lossless", "1"] : ["-quality", "90"])],
  }[format];
  const chain = [
    // Filters that turn a picture make the transparent colors of a palette opaque.
    ...(format === "png_pipe" && turn !== null ? ["format=rgba"] : []),
    ...(turn === null ? [] : [turn]),
    withoutExif,
    "setsar=1",
  ];
  return ["-map_metadata", "-1", "-vf", chain.join(","), "-c:v", ...codec, ...imageOutput(path)];
}

/** Rate of a single frame. Encoders of AVIF refuse less than one frame per second. */
const pictureRate = ["-r", "25"];

/** Scales the filter's input frame for each file and encodes it. */
function planThumbnailOutputs(
  folder: string,
  files: readonly ThumbnailFile[],
): { filter: string; args: string[] } {
  const branches = files.map(({ width, height, codec }, at) => {
    const range = codec === "jpeg" ? "out_range=pc,format=yuvj420p" : "out_range=tv,format=yuv420p";
    // ffmpeg 7 takes the primaries and the transfer function from the frame alone.
    const tags = codec === "avif" ? ",setparams=color_primaries=bt709:color_trc=iec61966-2-1" : "";
    return `[t${at}]scale=${width}:${height}:out_color_matrix=bt601:${range},setsar=1${tags}[thumbnail${at}]`;
  });
  const inputs = files.map((_, at) => `[t${at}]`).join("");
  return {
    filter: [`split=${files.length}${inputs}`, ...branches].join(";"),
    args: files.flatMap(({ name, codec }, at) => [
      ...["-map", `[thumbnail${at}]`, "-frames:v", "1", "-map_metadata", "-1", ...pictureRate],
      ...thumbnailCodecs[codec],
      ...(codec === "avif"
        ? ["-fflags", "+bitexact", "-f", "avif", `file:${folder}/${name}`]
        : imageOutput(`${folder}/${name}`)),
    ]),
  };
}

/**
 * AVIF declares its colour space. WebP and JPEG always use BT.601. By SSIM, the AVIF quality
 * matches that of WebP.
 */
const thumbnailCodecs: Record<ThumbnailFile["codec"], string[]> = {
  webp: ["-c:v", "libwebp", "-quality", "80"],
  jpeg: ["-c:v", "mjpeg", "-q:v", "4"],
  avif: [
    ...["-c:v", "libaom-av1", "-still-picture", "1", "-usage", "allintra", "-cpu-used", "6"],
    ...["-crf", "24", "-b:v", "0", "-color_range", "tv", "-colorspace", "smpte170m"],
    ...["-color_primaries", "bt709", "-color_trc", "iec61966-2-1"],
  ],
};

function imageOutput(path: string): string[] {
  return ["-fflags", "+bitexact", "-f", "image2", "-update", "1", `file:${path}`];
}
