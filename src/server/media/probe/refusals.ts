import { AppError } from "#server/lib/app-error.ts";
import { maxPixels } from "../facts/input-guards.ts";
import { isOverLimits, lastLines } from "../run/media-process-error.ts";
import type { RunResult } from "../run/run-process.ts";
import type { FileKind } from "./magic.ts";

// Messages for the uploading admin about why a file was rejected.

const wanted = "Please choose an MP4, WebM, MOV or AVI file.";

export function refuseKind(kind: FileKind): AppError {
  switch (kind.kind) {
    case "empty":
      return new AppError("unsupported_media", `This file is empty. ${wanted}`);
    case "picture":
    case "other":
      return new AppError(
        "unsupported_media",
        `This file is ${kind.name}, which isn't a supported video format. ${wanted}`,
      );
    default:
      return new AppError("unsupported_media", `This file isn't a video. ${wanted}`);
  }
}

const unusable = (message: string, cause?: unknown): AppError =>
  new AppError("unusable_video", message, { cause });

export const refuse = {
  cutShort: (cause: unknown) =>
    unusable(
      "The file is incomplete: its end is missing, as after an interrupted recording or copy. " +
        "Please upload the whole file.",
      cause,
    ),
  damaged: (cause: unknown) =>
    unusable("The file is damaged and can't be opened. Export it again.", cause),
  noVideo: (hasAudio: boolean) =>
    unusable(
      hasAudio ? "The file contains sound but no video." : "The file contains no video track.",
    ),
  codec: (name: string | null) =>
    unusable(
      (name === null
        ? "The file is damaged or uses an unknown encoding. "
        : `The video is encoded as ${name}, which is not supported. `) +
        "Convert it to an MP4 with H.264.",
    ),
  encrypted: () => unusable("The video is encrypted (copy protection), so it can't be processed."),
  undecodable: (cause: unknown) =>
    unusable("The file is damaged: no frame of the video can be decoded.", cause),
  tooLarge: (width: number, height: number) =>
    unusable(
      `The picture is too large: ${width} x ${height} pixels. ` +
        `At most ${maxPixels / 1_000_000} megapixels are supported.`,
    ),
  tooLong: (durationS: number, maxDurationS: number) =>
    unusable(
      `The video is too long: ${formatHours(durationS)}. ` +
        `At most ${formatHours(maxDurationS)} are supported.`,
    ),
  nothingShown: () =>
    unusable("The file's edit list hides the whole video. Export it again, as a new file."),
  tooManyEdits: () =>
    unusable("The file's edit list has too many parts. Export it again, as a new file."),
  tooManyTracks: () => unusable("The file contains too many tracks."),
  tooDemanding: (cause: unknown) =>
    unusable("Couldn't examine the file within the memory and time limits.", cause),
};

/** Explains why ffprobe couldn't open a file that starts like a video. */
export function explainUnopened(result: RunResult, endsEarly: boolean): AppError {
  const text = result.stderr;
  const cause = new Error(lastLines(text, 4));
  const size = findTooManyPixels(text);
  if (size !== null) return refuse.tooLarge(size.width, size.height);
  // ffprobe reports the refused track as a failed allocation.
  if (/max_streams|too many streams/i.test(text)) return refuse.tooManyTracks();
  if (isOverLimits(result)) return refuse.tooDemanding(cause);
  if (endsEarly || /moov atom not found/.test(text)) return refuse.cutShort(cause);
  return refuse.damaged(cause);
}

/** Parses the size of a picture that is too large from a decoder's error. */
export function findTooManyPixels(stderr: string): { width: number; height: number } | null {
  const match = /Picture size (\d+)x(\d+) exceeds specified max pixel count/.exec(stderr);
  return match === null ? null : { width: Number(match[1]), height: Number(match[2]) };
}

function formatHours(durationS: number): string {
  const hours = durationS / 3600;
  return `${hours >= 10 ? Math.round(hours) : Math.round(hours * 10) / 10} hours`;
}
