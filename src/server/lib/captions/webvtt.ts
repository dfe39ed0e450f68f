import type { CaptionLine } from "#contract/videos/captions.ts";
import { vttTime } from "../time-codes.ts";
import { cleanFileText, toVttText, parseTime } from "./caption-text.ts";
import { rowsOf, type LineCollector } from "./line-collector.ts";

/**
 * Cue settings that only affect placement (WebVTT, 4.4). Regions are dropped together with their
 * definitions.
 */
const settings: Record<string, RegExp> = {
  line: /^-?\d{1,4}(\.\d{1,3})?%?(,(start|center|end))?$/,
  position: /^\d{1,3}(\.\d{1,3})?%(,(line-left|center|line-right))?$/,
  size: /^\d{1,3}(\.\d{1,3})?%$/,
  align: /^(start|center|end|left|right)$/,
  vertical: /^(rl|lr)$/,
};

export function cleanPlace(text: string): string {
  const kept = new Map<string, string>();
  for (const setting of text.trim().split(/\s+/)) {
    const [name = "", value = ""] = setting.split(/:(.*)/s, 2);
    if (Object.hasOwn(settings, name) && settings[name]?.test(value) === true)
      kept.set(name, value);
  }
  return Array.from(kept, ([name, value]) => `${name}:${value}`).join(" ");
}

/** Reads the lines of a WebVTT file, without notes, styles and regions. */
export function readWebVtt(text: string, collector: LineCollector): void {
  for (const { row, times, own } of blocksOf(text, collector, /^(NOTE|STYLE|REGION)(\s|$)/)) {
    collector.add({ ...times, text: cleanFileText(own, { hasEntities: true }) }, row);
  }
}

type Times = Omit<CaptionLine, "text">;

/** Invisible marks of the text direction. Editors for Arabic and Hebrew add them to rows. */
const directionMarks = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const withoutMarks = (row = "") => row.replaceAll(directionMarks, "");

/** Undoes what translation tools change in times: full-width separators and added spaces. */
const cleanTimes = (row: string) =>
  withoutMarks(row)
    .replaceAll("：", ":")
    .replaceAll("，", ",")
    .replaceAll(/(?<=\d)\s{0,3}([:.,])\s{0,3}(?=\d)/g, "$1");

const timing = /^(.{1,40}?)\s{0,40}-{1,2} ?>\s*(\S{1,30})(.{0,200})/;

/** Returns the times and settings of a row, or null for other rows, even if they have an arrow. */
function readTimes(row: string): Times | null {
  if (!row.includes(">")) return null;
  const [, from = "", to = "", rest = ""] = timing.exec(cleanTimes(row)) ?? [];
  const [startMs, endMs] = [parseTime(from), parseTime(to)];
  return startMs === null || endMs === null ? null : { startMs, endMs, place: cleanPlace(rest) };
}

/**
 * Returns the blocks of WebVTT or SRT: an optional number or name, a row with times, and text. Text
 * below an empty row belongs to the block above, unless it is another block. Text may have arrows.
 * @param ignored first row of blocks without captions; null if the format has none.
 */
export function* blocksOf(
  text: string,
  collector: LineCollector,
  ignored: RegExp | null,
): Generator<{ row: number; times: Times; own: string }> {
  const rows = rowsOf(text);
  let block: { row: number; times: Times } | null = null;
  let from = 0;
  for (let at = 0; at <= rows.length; at += 1) {
    const isEnd = at === rows.length;
    const times = isEnd ? null : readTimes(rows[at] ?? "");
    if (times === null && !isEnd) continue;
    const to = isEnd ? at : startOfBlock(rows, from, at);
    const own = textBetween(rows, { from, to, hasTimes: block !== null }, collector, ignored);
    if (block !== null) yield { ...block, own };
    block = times === null ? null : { row: at + 1, times };
    from = at + 1;
  }
}

const isNumber = (row: string | undefined) => /^\s*\d+\s*$/.test(withoutMarks(row));
const isEmpty = (row: string | undefined) => row?.trim() === "";

/** Returns the first row of the block whose times are at `at`: its number, its name, or the times. */
function startOfBlock(rows: readonly string[], from: number, at: number): number {
  const above = rows[at - 1];
  if (at - 1 < from) return at;
  // Files with doubled line ends have an empty row below each one.
  if (isEmpty(above)) {
    const isDoubled = at - 3 > from && isNumber(rows[at - 2]) && isEmpty(rows[at - 3]);
    return isDoubled ? at - 2 : at;
  }
  const isBelowGap = at - 2 >= from && isEmpty(rows[at - 2]);
  // The only text of a block is its text, even if it is a number.
  return isBelowGap || (isNumber(above) && at - 1 > from) ? at - 1 : at;
}

/** Returns the text rows. Reports blocks whose times can't be read. */
function textBetween(
  rows: readonly string[],
  { from, to, hasTimes }: { from: number; to: number; hasTimes: boolean },
  collector: LineCollector,
  ignored: RegExp | null,
): string {
  const texts: string[] = [];
  /** Number of rows since the last empty one. Text directly below the times starts no block. */
  let sinceGap = hasTimes ? 2 : 0;
  let isSkipped = false;
  for (let at = from; at < to; at += 1) {
    const row = rows[at] ?? "";
    if (isEmpty(row)) {
      sinceGap = 0;
      isSkipped = false;
      continue;
    }
    sinceGap += 1;
    if (isSkipped) continue;
    const hasNumber = isNumber(texts.at(-1));
    if (sinceGap === 1 && ignored?.test(row) === true) isSkipped = true;
    else if (row.includes("-->") && (sinceGap <= 2 || hasNumber)) {
      if (sinceGap === 2 || hasNumber) texts.pop();
      collector.miss(at + 1);
      isSkipped = true;
    } else texts.push(row);
  }
  return texts.join("\n");
}

/** Writes a WebVTT file with only allowed tags and escaped characters. */
export function writeWebVtt(lines: readonly CaptionLine[]): string {
  const cues = lines.map(({ startMs, endMs, text, place }) => {
    const times = `${vttTime(startMs)} --> ${vttTime(endMs)}`;
    return `${place === "" ? times : `${times} ${cleanPlace(place)}`}\n${toVttText(text)}\n`;
  });
  return `WEBVTT\n\n${cues.join("\n")}`;
}
