import { captionLimits, type CaptionLine } from "../../../contract/captions.ts";
import { AppError } from "../app-error.ts";
import { readAss } from "./ass.ts";
import { plainText } from "./caption-text.ts";
import { readSrt } from "./srt.ts";
import { readWebVtt } from "./webvtt.ts";

/**
 * The lines of a file of captions, which its content says to be WebVTT, SubRip or ASS, in the order of
 * their times. @throws AppError `unsupported_media` for anything else, `invalid` without a usable line.
 */
export function readCaptions(bytes: Uint8Array): CaptionLine[] {
  const text = decode(bytes);
  const lines = tidyLines(readText(text));
  if (lines.length === 0) throw refuse("No line of these captions has text and valid times.");
  if (lines.length > captionLimits.maxLines) {
    throw refuse(`Captions have at most ${captionLimits.maxLines} lines.`);
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
  throw new AppError("unsupported_media", "Captions must be a SRT, WebVTT or ASS file.");
}

/** UTF-8 or UTF-16; what is neither is read as Windows-1252, as old programs wrote it. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

const refuse = (message: string): AppError => new AppError("invalid", message);
