import type { CaptionLine } from "#contract/videos/captions.ts";
import { plainText } from "#server/lib/captions/caption-text.ts";

export interface CaptionPassage {
  startS: number;
  text: string;
}

/** Words spoken within this time are found together. */
const passageMs = 15_000;
/** Limits for all tracks of a video together: number of passages, and length of each. */
const maxPassages = 1000;
const maxLength = 1000;

/** Groups a track's lines into passages of at most `passageMs`. */
export function toPassages(lines: readonly CaptionLine[]): CaptionPassage[] {
  const passages: { startMs: number; texts: string[] }[] = [];
  for (const { startMs, text } of lines.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = passages.at(-1);
    const spoken = plainText(text);
    if (last !== undefined && startMs - last.startMs < passageMs) last.texts.push(spoken);
    else passages.push({ startMs, texts: [spoken] });
  }
  return passages.slice(0, maxPassages).map(({ startMs, texts }) => ({
    startS: Math.floor(startMs / 1000),
    text: texts.join(" ").slice(0, maxLength).toWellFormed(),
  }));
}

/** Joins the passages of several tracks, in the order of the tracks, up to the limit per video. */
export const joinPassages = (tracks: readonly CaptionPassage[][]): CaptionPassage[] =>
  tracks.flat().slice(0, maxPassages);
