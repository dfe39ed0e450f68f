import type { CaptionLine } from "#contract/videos/captions.ts";
import { plainText } from "#server/lib/captions/caption-text.ts";

export interface CaptionPassage {
  startS: number;
  text: string;
}

/** Words that are said within this time are found together. */
const passageMs = 15_000;
/** All tracks of a video together have at most so many passages, and each so much text. */
const maxPassages = 1000;
const maxLength = 1000;

/** The lines of a track in passages: one begins where the one before is some seconds old. */
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

/** The passages of several tracks, up to the limit of a video; the first tracks go first. */
export const joinPassages = (tracks: readonly CaptionPassage[][]): CaptionPassage[] =>
  tracks.flat().slice(0, maxPassages);
