import { captionLimits, type CaptionLine } from "#contract/videos/captions.ts";
import { AppError } from "../app-error.ts";
import { readAss } from "./ass.ts";
import { plainText } from "./caption-text.ts";
import { decodeText } from "./decode-text.ts";
import { readSrt } from "./srt.ts";
import { readWebVtt } from "./webvtt.ts";

/**
 * The lines of a file of captions, which its content says to be WebVTT, SubRip or ASS, in the order of
 * their times. @param language in which they are written, null where it is not known: it tells how old
 * files are encoded. @throws AppError `unsupported_media` for anything else, `invalid` without a usable line.
 */
export function readCaptions(bytes: Uint8Array, language: string | null = null): CaptionLine[] {
  const text = decodeText(bytes, language);
  const lines = tidyLines(readText(text));
  if (lines.length === 0) throw refuse("The captions contain no line with text and valid times.");
  if (lines.length > captionLimits.maxLines) {
    throw refuse(`Captions can have at most ${captionLimits.maxLines} lines.`);
  }
  return lines;
}

/** Lines with text and a duration, sorted; broken ones are left out. */
export function tidyLines(lines: readonly CaptionLine[]): CaptionLine[] {
  return lines
    .filter(({ startMs, endMs, text }) => endMs > startMs && plainText(text).trim() !== "")
    .toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
}

/** Moves lines in time; what would end before the beginning is left out. */
export function shiftLines(
  lines: readonly CaptionLine[],
  move: (timeMs: number) => number,
): CaptionLine[] {
  return tidyLines(
    lines.map((line) => ({
      ...line,
      startMs: Math.max(0, Math.round(move(line.startMs))),
      endMs: Math.max(0, Math.round(move(line.endMs))),
    })),
  );
}

function readText(text: string): CaptionLine[] {
  const start = text.slice(0, 4096);
  if (/^WEBVTT(\s|$)/.test(start)) return readWebVtt(text);
  if (/^\s*(\[Script Info\]|\[V4\+? Styles\]|\[Events\])/im.test(start)) return readAss(text);
  if (/-->/.test(start)) return readSrt(text);
  throw new AppError("unsupported_media", "Captions must be an SRT, WebVTT or ASS file.");
}

const refuse = (message: string): AppError => new AppError("invalid", message);
