import { captionLimits, type CaptionLine } from "#contract/videos/captions.ts";
import { AppError } from "../app-error.ts";
import { readAss } from "./ass.ts";
import { plainText } from "./caption-text.ts";
import { decodeText } from "./decode-text.ts";
import { readSrt } from "./srt.ts";
import { readWebVtt } from "./webvtt.ts";

/**
 * Reads the lines of a caption file, sorted by time. Detects WebVTT, SubRip or ASS from the
 * content.
 * @param language language of the text, for the encoding of old files; null if unknown.
 * @throws AppError unsupported_media for other files; invalid if there is no usable line.
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

/** Returns the lines that have text and a duration, sorted. */
export function tidyLines(lines: readonly CaptionLine[]): CaptionLine[] {
  return lines
    .filter(({ startMs, endMs, text }) => endMs > startMs && plainText(text).trim() !== "")
    .toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
}

/** Shifts lines in time. Drops lines that would end before the start. */
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
  if (/^[ \t]*(\[Script Info\]|\[V4\+? Styles\]|\[Events\])/im.test(start)) return readAss(text);
  if (/-->/.test(start)) return readSrt(text);
  throw new AppError("unsupported_media", "Captions must be an SRT, WebVTT or ASS file.");
}

const refuse = (message: string): AppError => new AppError("invalid", message);
