import { readFile } from "node:fs/promises";
import path from "node:path";
import { posterBox, posterName, thumbnailBox } from "#contract/videos/picture-sizes.ts";
import { AppError } from "#server/lib/app-error.ts";
import { guardPicture, maxPixels, type PictureFormat } from "./facts/input-guards.ts";
import { probeLimits } from "./facts/process-limits.ts";
import {
  artworkArgs,
  cleanOutput,
  iconArgs,
  planThumbnailFiles,
  planTurnedSize,
  thumbnailArgs,
} from "./plan/pictures.ts";
import { parseProbe, probedInfo } from "./probe/ffprobe-output.ts";
import { readHead, readKind } from "./probe/magic.ts";
import { readOrientation } from "./probe/orientation.ts";
import { findTooManyPixels } from "./probe/refusals.ts";
import { MediaProcessError } from "./run/media-process-error.ts";
import { describeThumbnail } from "./pipeline/pictures.step.ts";
import { describeFile, type PipelineContext, type MediaFile } from "./pipeline/pipeline-context.ts";

/**
 * Makes a thumbnail (at most 640 px on either side) from an uploaded picture. JPEG, PNG and WebP
 * are detected from the content, decoded and encoded again. Returns the main file first. All files
 * belong in a separate folder.
 * @throws AppError unsupported_media for any other file; invalid for a picture that can't be
 * decoded.
 */
export async function makeThumbnailFromPicture(
  pipeline: PipelineContext,
  picturePath: string,
  workDir: string,
): Promise<[MediaFile, ...MediaFile[]]> {
  const { format, turn, shown } = await readPicture(pipeline, picturePath);
  const files = planThumbnailFiles(planTurnedSize(shown, turn, thumbnailBox), pipeline.report);
  const args = thumbnailArgs(format, picturePath, { folder: workDir, files, turn });
  await convert(pipeline, { args, picturePath, workDir });
  return describeThumbnail(workDir, files);
}

/**
 * Makes a poster (at most 960 px on either side) from an uploaded picture. It is a JPEG, because
 * some apps show no WebP in link previews. Throws like `makeThumbnailFromPicture`.
 */
export async function makePosterFromPicture(
  pipeline: PipelineContext,
  picturePath: string,
  workDir: string,
): Promise<MediaFile> {
  const { format, turn, shown } = await readPicture(pipeline, picturePath);
  const size = planTurnedSize(shown, turn, posterBox);
  const files = [{ ...size, name: posterName, codec: "jpeg" as const }];
  const args = thumbnailArgs(format, picturePath, { folder: workDir, files, turn });
  await convert(pipeline, { args, picturePath, workDir });
  return describeFile("poster", posterName, path.join(workDir, posterName), size);
}

/**
 * Makes a PNG of at most 256 px on either side from an uploaded picture, for a logo or favicon.
 * Preserves transparency. Throws like `makeThumbnailFromPicture`.
 */
export async function makeIconFromPicture(
  pipeline: PipelineContext,
  picturePath: string,
  workDir: string,
): Promise<{ name: string; path: string }> {
  const { format, turn } = await readPicture(pipeline, picturePath);
  const iconPath = path.join(workDir, "sent-icon.png");
  const args = iconArgs(format, picturePath, { iconPath, turn });
  await convert(pipeline, { args, picturePath, workDir });
  return { name: "icon.png", path: iconPath };
}

/**
 * Makes a square JPEG for podcast apps from the middle of a picture. Throws like
 * `makeThumbnailFromPicture`.
 */
export async function makeArtworkFromPicture(
  pipeline: PipelineContext,
  picturePath: string,
  workDir: string,
  signal: AbortSignal,
): Promise<string> {
  const { format, turn } = await readPicture(pipeline, picturePath, signal);
  const artworkPath = path.join(workDir, "artwork.jpg");
  const args = artworkArgs(format, picturePath, { artworkPath, turn });
  await convert(pipeline, { args, picturePath, workDir, signal });
  return artworkPath;
}

/** Bytes in files that contain Exif data, XMP or IPTC, also as ImageMagick writes them into PNG. */
const metadataMarks: Record<PictureFormat, string[]> = {
  jpeg_pipe: ["Exif\0\0", "http://ns.adobe.com/x", "8BIM\x04\x04"],
  png_pipe: ["eXIf", "XML:com.adobe.xmp", "Raw profile type"],
  webp_pipe: ["EXIF", "XMP "],
};

/**
 * Returns the file to store for an uploaded picture, with its extension. A picture with Exif data,
 * XMP or IPTC, which may contain where it was taken, is encoded again without them, upright and in its own
 * size. Any other is only decoded, and its file is returned. Throws like `makeThumbnailFromPicture`.
 */
export async function cleanPicture(
  pipeline: PipelineContext,
  picturePath: string,
  workDir: string,
): Promise<{ path: string; extension: string }> {
  const { format, bytes, turn } = await readPicture(pipeline, picturePath);
  const hasMetadata = metadataMarks[format].some((mark) => bytes.includes(mark));
  if (hasMetadata && format === "png_pipe" && bytes.includes("acTL")) {
    throw new AppError(
      "unsupported_media",
      "This animated PNG contains metadata, such as Exif data. Save it without metadata.",
    );
  }
  const canEncode = format !== "webp_pipe" || pipeline.report.hasWebp;
  const target = hasMetadata && !canEncode ? "png_pipe" : format;
  const extension = { jpeg_pipe: ".jpg", png_pipe: ".png", webp_pipe: ".webp" }[target];
  const storedPath = hasMetadata ? path.join(workDir, `clean${extension}`) : picturePath;
  const args = [
    ...["-xerror", "-err_detect", "explode", "-noautorotate", ...guardPicture(format, picturePath)],
    ...["-map", "0:v:0", "-frames:v", "1"],
    ...(hasMetadata
      ? cleanOutput(target, storedPath, turn, bytes.includes("VP8L"))
      : ["-f", "null", "-"]),
  ];
  await convert(pipeline, { args, picturePath, workDir });
  return { path: storedPath, extension };
}

/** Reads a picture's format and size from its content. */
async function readPicture(pipeline: PipelineContext, picturePath: string, signal?: AbortSignal) {
  const head = await readHead(picturePath);
  const kind = readKind(head);
  if (kind.kind !== "picture") {
    throw new AppError("unsupported_media", "The image must be a JPEG, PNG or WebP file.");
  }
  const { format } = kind;
  if (isAnimatedWebp(head)) {
    throw new AppError(
      "unsupported_media",
      "Animated WebP images aren't supported. Choose a still one.",
    );
  }
  const bytes = await readFile(picturePath);
  if (format === "png_pipe") refuseTextBomb(bytes);
  const shown = await readSize(pipeline, format, picturePath, signal);
  return { format, bytes, shown, turn: readOrientation(bytes) };
}

/** Maximum ratio of the sides. A thumbnail of a longer picture would be less than 2 px wide. */
const maxRatio = 320;
/** Maximum size of compressed texts and profiles in a PNG. ffprobe would decompress all of them. */
const maxPackedBytes = 256 * 1024;

/**
 * Refuses a PNG whose texts or color profile could expand to gigabytes (PNG 3, 5.3: length, name,
 * data and checksum of each chunk).
 */
function refuseTextBomb(bytes: Buffer): void {
  let packed = 0;
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const name = bytes.toString("latin1", at + 4, at + 8);
    if (/^(zTXt|iTXt|iCCP)$/.test(name)) packed += length;
    if (packed > maxPackedBytes) {
      throw invalid("The picture contains too much text. Save it again without metadata.");
    }
    at += 12 + length;
  }
}

/** Returns whether a WebP file has the animation flag. ffmpeg decodes only still ones. */
const isAnimatedWebp = (head: Buffer): boolean =>
  head.toString("latin1", 8, 16) === "WEBPVP8X" && ((head[20] ?? 0) & 2) !== 0;

async function convert(
  pipeline: PipelineContext,
  run: { args: string[]; picturePath: string; workDir?: string; signal?: AbortSignal | undefined },
): Promise<void> {
  const { args, picturePath, workDir, signal } = run;
  try {
    await pipeline.tools.ffmpeg({
      name: "picture",
      args,
      cwd: pipeline.emptyDir,
      inputs: [picturePath],
      ...(workDir === undefined ? {} : { outputDir: workDir }),
      limits: probeLimits,
      isUrgent: true,
      signal,
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof AppError ? error : refusePicture(error);
  }
}

async function readSize(
  pipeline: PipelineContext,
  format: PictureFormat,
  picturePath: string,
  signal: AbortSignal | undefined,
): Promise<{ width: number; height: number }> {
  const result = await pipeline.tools
    .ffprobe({
      name: "picture size",
      args: ["-show_streams", "-of", "json", ...guardPicture(format, picturePath)],
      cwd: pipeline.emptyDir,
      inputs: [picturePath],
      limits: probeLimits,
      isUrgent: true,
      signal,
    })
    .catch((error: unknown) => {
      signal?.throwIfAborted();
      throw error instanceof AppError ? error : refusePicture(error);
    });
  const stream = parseProbe(probedInfo, result.stdout)?.streams[0];
  const width = stream?.width ?? 0;
  const height = stream?.height ?? 0;
  const tooMany = findTooManyPixels(result.stderr);
  if (tooMany !== null || width * height > maxPixels) {
    throw invalid(
      `The picture is too large: ${tooMany?.width ?? width} x ${tooMany?.height ?? height} pixels.`,
    );
  }
  if (Math.max(width, height) > Math.min(width, height) * maxRatio) {
    throw invalid(`The picture is too narrow: ${width} x ${height} pixels.`);
  }
  if (width === 0 || height === 0) throw refusePicture(new Error(result.stderr.slice(0, 500)));
  return { width, height };
}

function refusePicture(cause: unknown): AppError {
  const exceededLimits = cause instanceof MediaProcessError && cause.result.killed !== null;
  return invalid(
    exceededLimits
      ? "Couldn't convert the picture within the memory and time limits."
      : "The picture is damaged and can't be decoded.",
    cause,
  );
}

function invalid(message: string, cause?: unknown): AppError {
  return new AppError("invalid", message, { issues: [{ path: "thumbnail", message }], cause });
}
