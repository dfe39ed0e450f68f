import type { CaptionLine } from "#contract/videos/captions.ts";
import { AppError } from "../app-error.ts";
import { cleanLanguage } from "../track-language.ts";
import { readAss } from "./ass.ts";
import { collectLines, hasWords, type LineCollector } from "./line-collector.ts";
import { readSrt } from "./srt.ts";
import { readWebVtt } from "./webvtt.ts";

/** Legacy encodings by language, as browsers decode old pages. */
const formerEncodings: readonly (readonly [languages: string, encoding: string])[] = [
  ["bs cs hr hu pl ro sk sl sq", "windows-1250"],
  ["be bg kk ky mk mn ru sr tg uk", "windows-1251"],
  ["el", "windows-1253"],
  ["az tr", "windows-1254"],
  ["he yi", "windows-1255"],
  ["ar fa ur", "windows-1256"],
  ["et lt lv", "windows-1257"],
  ["vi", "windows-1258"],
  ["th", "windows-874"],
  ["ja", "shift_jis"],
  ["ko", "euc-kr"],
  ["zh", "gb18030"],
];

/**
 * Decodes a text file: UTF-8 or UTF-16, otherwise the legacy encoding of its language. A file is
 * UTF-8 if it has more characters in UTF-8 than bytes that are none, which become U+FFFD.
 * @returns the text and the name of its encoding.
 */
export function decodeText(
  bytes: Uint8Array,
  language: string | null,
): { text: string; encoding: string } {
  const as = (encoding: string) => ({ text: new TextDecoder(encoding).decode(bytes), encoding });
  const utf16 = findUtf16(bytes);
  if (utf16 !== null) return as(utf16);
  const utf8 = as("utf-8");
  const invalid = countReplaced(utf8.text);
  if (invalid === 0) return utf8;
  const valid = utf8.text.match(/[^\u0000-\u007f\ufffd]/gu)?.length ?? 0;
  return valid > invalid ? utf8 : as(formerEncoding(language, bytes));
}

/** Share of Cyrillic letters beside another one above which a text without a language is Cyrillic. */
const cyrillicShare = 0.7;

/**
 * Returns whether the bytes look like Cyrillic in windows-1251. There, whole words have only bytes
 * above 0xc0, while accented letters of Western languages stand between ASCII letters.
 */
function looksCyrillic(bytes: Uint8Array): boolean {
  const isLetter = (byte = 0) => byte >= 0xc0 || byte === 0xa8 || byte === 0xb8;
  let high = 0;
  let beside = 0;
  for (const [at, byte] of bytes.entries()) {
    if (byte < 0x80) continue;
    high += 1;
    if (isLetter(byte) && (isLetter(bytes[at - 1]) || isLetter(bytes[at + 1]))) beside += 1;
  }
  return beside > high * cyrillicShare;
}

/** Counts the characters that replace invalid bytes. */
const countReplaced = (text: string): number => text.split("\ufffd").length - 1;

/**
 * Detects UTF-16 by its byte order mark, or by a zero byte in the first character, because all
 * formats start with ASCII.
 */
function findUtf16([first, second]: Uint8Array): "utf-16le" | "utf-16be" | null {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return "utf-16be";
  return null;
}

function formerEncoding(given: string | null, bytes: Uint8Array): string {
  if (cleanLanguage(given) === "und" && looksCyrillic(bytes)) return "windows-1251";
  const locale = new Intl.Locale(cleanLanguage(given)).maximize();
  if (locale.language === "zh" && locale.script === "Hant") return "big5";
  const found = formerEncodings.find(([languages]) =>
    languages.split(" ").includes(locale.language),
  );
  return found?.[1] ?? "windows-1252";
}

/**
 * Reads the lines of a caption file, sorted by time. Detects WebVTT, SubRip or ASS from the
 * content.
 * @param language language of the text, for the encoding of old files; null if unknown.
 * @throws AppError unsupported_media for other files; invalid if there is no usable line.
 */
export function readCaptions(bytes: Uint8Array, language: string | null = null): ReadCaptions {
  const { text, encoding } = decodeText(bytes, language);
  const collector = collectLines();
  readText(text, collector);
  const lines = unroll(withoutCopies(tidyLines(collector.lines)));
  if (lines.length === 0) {
    throw new AppError("invalid", "The captions contain no line with text and valid times.");
  }
  return {
    lines,
    missedRows: collector.missedRows(),
    replacedCharacters: countReplaced(text),
    encoding,
  };
}

interface ReadCaptions {
  lines: CaptionLine[];
  /** Numbers of the rows of the file, from 1, that contain a line whose times can't be read. */
  missedRows: number[];
  /** Number of characters that weren't valid in the file's encoding. */
  replacedCharacters: number;
  /** Name of the encoding, such as `utf-8`. */
  encoding: string;
}

/** Leaves out lines that repeat another one, as ASS draws outlines and shadows in layers. */
function withoutCopies(lines: readonly CaptionLine[]): CaptionLine[] {
  const seen = new Set<string>();
  return lines.filter((line) => {
    const key = JSON.stringify([line.startMs, line.endMs, line.text, line.place]);
    return !seen.has(key) && seen.add(key);
  });
}

/** Gap after which a repeated row counts as new speech. */
const pauseMs = 2000;
/** Live captions show up to four rows, the last of which is new. */
const maxRepeatedRows = 3;

/**
 * Keeps each row once if the captions roll: most lines begin with rows at the end of the line before,
 * as in automatic captions of YouTube. A row then stays until the lines that only repeat it end.
 */
function unroll(lines: readonly CaptionLine[]): CaptionLine[] {
  const unrolled: CaptionLine[] = [];
  let [above, endMs, repeated]: [string[], number, number] = [[], -Infinity, 0];
  for (const line of lines) {
    const rows = line.text.split("\n").map((row) => row.trim());
    const isPause = line.startMs - endMs >= pauseMs;
    const count = isPause ? 0 : countShared(above, rows);
    const last = unrolled.at(-1);
    if (count > 0) repeated += 1;
    if (count < rows.length) unrolled.push({ ...line, text: rows.slice(count).join("\n") });
    else if (last !== undefined) last.endMs = Math.max(last.endMs, line.endMs);
    [above, endMs] = [rows, line.endMs];
  }
  return repeated * 2 > lines.length ? unrolled : [...lines];
}

/** Returns the number of rows at the end of one line with which the next one begins. */
function countShared(above: readonly string[], rows: readonly string[]): number {
  const isShared = (count: number) =>
    rows.slice(0, count).join("\n") === above.slice(-count).join("\n");
  let count = Math.min(above.length, rows.length, maxRepeatedRows);
  while (count > 0 && !isShared(count)) count -= 1;
  return count;
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

/** Matches positions and frame counters, as drones and dashboard cameras write them. */
const cameraData =
  /\b(?:SrtCnt|FrameCnt)\b|\b(?:lat|latitude|lon|longt?itude|GPS|HOME)\s*[:=(]\W*(?:[NSEW]\W*)?\d|\$G[A-Z]{4},|\d\.\d{4,}\D{1,20}\d{1,3}\.\d{4}/i;
/** Minimum share of lines with such data. Cameras only write a position once they know it. */
const cameraDataShare = 0.1;

/** Returns whether the lines are data of a camera, such as its position, instead of captions. */
export const isCameraData = (lines: readonly CaptionLine[]): boolean =>
  lines.filter(({ text }) => cameraData.test(text)).length > lines.length * cameraDataShare;

function readText(text: string, collector: LineCollector): void {
  const start = text.slice(0, 4096);
  if (/^WEBVTT(\s|$)/.test(start)) return readWebVtt(text, collector);
  if (/^[ \t]*(\[Script Info\]|\[V4\+? Styles\]|\[Events\])/im.test(start))
    return readAss(text, collector);
  if (/-->|\d ?[:：].{0,60}- ?>/.test(start)) return readSrt(text, collector);
  throw new AppError("unsupported_media", "Captions must be an SRT, WebVTT or ASS file.");
}
