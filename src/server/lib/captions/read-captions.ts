import type { CaptionLine } from "#contract/videos/captions.ts";
import { AppError } from "../app-error.ts";
import { readAss } from "./ass.ts";
import { countReplaced, decodeText } from "./decode-text.ts";
import { collectLines, hasWords, type FoundLines } from "./found-lines.ts";
import { readSrt } from "./srt.ts";
import { readWebVtt } from "./webvtt.ts";

/**
 * Reads the lines of a caption file, sorted by time. Detects WebVTT, SubRip or ASS from the
 * content.
 * @param language language of the text, for the encoding of old files; null if unknown.
 * @throws AppError unsupported_media for other files; invalid if there is no usable line.
 */
export function readCaptions(bytes: Uint8Array, language: string | null = null): ReadCaptions {
  const text = decodeText(bytes, language);
  const found = collectLines();
  readText(text, found);
  const lines = withoutCopies(tidyLines(found.lines));
  if (lines.length === 0) {
    throw new AppError("invalid", "The captions contain no line with text and valid times.");
  }
  return { lines, missedRows: found.missedRows(), replacedCharacters: countReplaced(text) };
}

interface ReadCaptions {
  lines: CaptionLine[];
  /** Numbers of the rows of the file, from 1, that contain a line whose times can't be read. */
  missedRows: number[];
  /** Number of characters that weren't valid in the file's encoding. */
  replacedCharacters: number;
}

/** Leaves out lines that repeat another one, as ASS draws outlines and shadows in layers. */
function withoutCopies(lines: readonly CaptionLine[]): CaptionLine[] {
  const seen = new Set<string>();
  return lines.filter((line) => {
    const key = JSON.stringify([line.startMs, line.endMs, line.text, line.place]);
    return !seen.has(key) && seen.add(key);
  });
}

/** Returns the lines that have text and a duration, sorted. */
export function tidyLines(lines: readonly CaptionLine[]): CaptionLine[] {
  return lines
    .filter((line) => line.endMs > line.startMs && hasWords(line))
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

function readText(text: string, found: FoundLines): void {
  const start = text.slice(0, 4096);
  if (/^WEBVTT(\s|$)/.test(start)) return readWebVtt(text, found);
  if (/^[ \t]*(\[Script Info\]|\[V4\+? Styles\]|\[Events\])/im.test(start))
    return readAss(text, found);
  if (/-->/.test(start)) return readSrt(text, found);
  throw new AppError("unsupported_media", "Captions must be an SRT, WebVTT or ASS file.");
}
