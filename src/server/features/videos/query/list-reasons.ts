import type { TimeRange } from "#contract/limits.ts";
import type { VideoReason } from "#server/lib/video-reasons.ts";
import type { Video } from "#contract/videos/videos.ts";
import type { TextMatch } from "./video-filter.sql.ts";

/** Counts of a video within a range. */
export interface RangeCounts {
  views: number;
  /** Weighted views, completions and likes. */
  points: number;
}

const rangeNames = { today: "Today", week: "Week", month: "Month", all: "All" } as const;

/**
 * Returns why a video trends: its views, or its viewers' actions if they weigh more. Returns
 * nothing if it has neither and only fills the list of a quiet site.
 */
export function trendingReason({ views, points }: RangeCounts, range: TimeRange): ListReason {
  const rest = points - views;
  if (rest > views) return { reason: { kind: `points${rangeNames[range]}`, count: rest } };
  return views > 0 ? { reason: { kind: `views${rangeNames[range]}`, count: views } } : {};
}

/** Formats a time as "1:02:03" or "2:03". */
function clockTime(timeS: number): string {
  const parts = [Math.floor(timeS / 3600), Math.floor(timeS / 60) % 60, timeS % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, at) => (at === 0 ? part : String(part).padStart(2, "0"))).join(":");
}

/**
 * Folds text to lower case without accents, as the search does. A Cyrillic й stays a separate
 * letter.
 */
const fold = (text: string) =>
  text
    .normalize("NFKD")
    .replace(/(?<![иИ])\p{M}/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ");

/** Returns the words of a video's title and labels, folded. */
export function wordsOfVideo({ title, actors, tags, categories }: Video): string {
  const labels = [
    ...actors.map(({ actor }) => actor),
    ...tags.map(({ tag }) => tag),
    ...categories.map(({ category }) => category),
  ];
  return fold([title, ...labels.map(({ name }) => name)].join(" "));
}

function countMatches(words: readonly string[], text: string): number {
  const found = fold(text).split(" ");
  return words.filter((word) => found.some((each) => each.startsWith(word))).length;
}

/** Reason shown for a video in a list. */
export interface ListReason {
  reason?: VideoReason;
  /** Time at which the words are spoken, in seconds. */
  foundAtS?: number;
}

/** Returns the reason for words found in captions. @param timeS their time in seconds. */
export const spokenReason = (timeS: number): ListReason => ({
  reason: { kind: "spoken", name: clockTime(timeS) },
  foundAtS: timeS,
});

/**
 * Returns the field in which a search found a video: the one that contains the most words, and
 * among equal ones the one with the highest weight. Captions count only if no field has all words.
 */
export function searchReason(
  match: TextMatch,
  video: Video,
): { reason: VideoReason; hasAllWords: boolean } {
  const texts = match.spelled?.map(({ texts: [text = ""] }) => text) ?? [];
  const typed = match.kind === "words" && match.spelled === null ? match.text : texts.join(" ");
  const words = fold(typed)
    .split(" ")
    .filter((word) => word !== "");
  const fields: [reason: VideoReason, text: string][] = [
    [{ kind: "inTitle" }, video.title],
    ...video.actors.map(({ actor: { name } }) => labelField({ kind: "inLabel", name }, name)),
    ...video.tags.map(({ tag: { name } }) =>
      labelField({ kind: "inLabel", name: `#${name}` }, name),
    ),
    ...video.categories.map(({ category: { name } }) =>
      labelField({ kind: "inCategory", name }, name),
    ),
    [{ kind: "inDescription" }, video.description ?? ""],
  ];
  let best: { reason: VideoReason; count: number } = { reason: { kind: "similarWords" }, count: 0 };
  for (const [reason, text] of fields) {
    const count = countMatches(words, text);
    if (count > best.count) best = { reason, count };
    if (count === words.length) break;
  }
  const isSimilar = best.count === 0 && match.kind === "titles";
  return {
    reason: isSimilar ? { kind: "similarTitle" } : best.reason,
    hasAllWords: best.count === words.length,
  };
}

const labelField = (reason: VideoReason, name: string): [VideoReason, string] => [reason, name];
