import { cleanFileText } from "./caption-text.ts";
import type { LineCollector } from "./line-collector.ts";
import { blocksOf } from "./webvtt.ts";

/**
 * Returns the cue position for an alignment numbered like a numeric keypad: 7 to 9 at the top, 4 to
 * 6 in the middle.
 */
export function placeOfAlignment(alignment: number): string {
  const line = alignment >= 7 ? ["line:0"] : alignment >= 4 ? ["line:50%"] : [];
  const align = alignment % 3 === 1 ? ["align:start"] : alignment % 3 === 0 ? ["align:end"] : [];
  return [...line, ...align].join(" ");
}

/** Reads the lines of a SubRip file. Also reads the ASS codes that some programs write into it. */
export function readSrt(text: string, collector: LineCollector): void {
  for (const { row, times, own } of blocksOf(text, collector, null)) {
    const alignment = Number(/\{\\an([1-9])\}/.exec(own)?.[1] ?? 2);
    const words = own.replaceAll(/\{\\[^{}]{0,200}\}/g, "");
    const place = placeOfAlignment(alignment);
    collector.add({ ...times, text: cleanFileText(words, { hasEntities: true }), place }, row);
  }
}
