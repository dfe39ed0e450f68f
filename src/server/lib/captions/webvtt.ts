import type { CaptionLine } from "#contract/videos/captions.ts";
import { cleanText, toVttText } from "./caption-text.ts";
import { formatTime, parseTime } from "./caption-times.ts";

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
export function readWebVtt(text: string): CaptionLine[] {
  return readBlocks(text, { hasEntities: true });
}

/**
 * Reads the blocks of WebVTT or SRT. A block has a line with its times, and text up to the next
 * empty line. If the text itself contains empty lines, the lines after them are included unless
 * they look like another block.
 */
export function readBlocks(text: string, options: { hasEntities: boolean }): CaptionLine[] {
  const lines: CaptionLine[] = [];
  const rows = text.split(/\r\n|\n|\r/);
  for (let at = 0; at < rows.length; at += 1) {
    const timed = /^(.{1,40}?)\s{0,40}-{1,2}>\s*(\S{1,30})(.{0,200})/.exec(rows[at] ?? "");
    if (timed === null) continue;
    const [, from = "", to = "", rest = ""] = timed;
    const own: string[] = [];
    while (at + 1 < rows.length && (rows[at + 1] ?? "").trim() !== "") {
      if (/-->/.test(rows[at + 1] ?? "")) break;
      at += 1;
      own.push(rows[at] ?? "");
    }
    const [startMs, endMs] = [parseTime(from), parseTime(to)];
    if (startMs === null || endMs === null) continue;
    // Number of the next block, which follows without an empty line.
    const isNext = /-->/.test(rows[at + 1] ?? "") && /^\d+$/.test(own.at(-1)?.trim() ?? "");
    if (isNext) own.pop();
    lines.push({
      startMs,
      endMs,
      text: cleanText(own.join("\n"), options),
      place: cleanPlace(rest),
    });
  }
  return lines;
}

/** Writes a WebVTT file with only allowed tags and escaped characters. */
export function writeWebVtt(lines: readonly CaptionLine[]): string {
  const cues = lines.map(({ startMs, endMs, text, place }) => {
    const times = `${formatTime(startMs)} --> ${formatTime(endMs)}`;
    return `${place === "" ? times : `${times} ${cleanPlace(place)}`}\n${toVttText(text)}\n`;
  });
  return `WEBVTT\n\n${cues.join("\n")}`;
}
