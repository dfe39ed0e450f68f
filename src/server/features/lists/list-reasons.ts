import type { TimeRange } from "../../../contract/limits.ts";
import type { Video } from "../../../contract/videos.ts";
import type { TextMatch } from "../../db/video-filter.ts";

/** What was counted of a video inside a range. */
export interface RangeCounts {
  views: number;
  /** Views, completions and likes, weighted. */
  points: number;
}

const rangeWords: Record<TimeRange, string> = {
  today: "in 24 h",
  week: "in 7 days",
  month: "in 30 days",
  all: "in all",
};
const number = new Intl.NumberFormat("en");

/** Why a video trends: by its views, or by what its viewers did where that weighs more. */
export function trendingReason({ views, points }: RangeCounts, range: TimeRange): string {
  const rest = points - views;
  if (rest > views) {
    return `${number.format(rest)} points for likes and full plays ${rangeWords[range]}`;
  }
  return `${number.format(views)} ${views === 1 ? "view" : "views"} ${rangeWords[range]}`;
}

/** "1:02:03", "2:03". */
function clockTime(timeS: number): string {
  const parts = [Math.floor(timeS / 3600), Math.floor(timeS / 60) % 60, timeS % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, at) => (at === 0 ? part : String(part).padStart(2, "0"))).join(":");
}

/** Lower case without accents, as the search reads words: a Cyrillic й is a letter of its own. */
const fold = (text: string) =>
  text
    .normalize("NFKD")
    .replace(/(?<![иИ])\p{M}/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ");

/** The words of a video's title and labels, folded. */
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

/** What a list says of a video that it ranks. */
export interface ListReason {
  why?: string;
  /** When the words are said, in seconds. */
  foundAtS?: number;
}

/**
 * Where a search found a video: the field with most of the words; of equal ones the one that weighs
 * most. Captions only where no field has all of the words.
 * @param spokenS when they say words of the search.
 */
export function searchReason(
  match: TextMatch,
  video: Video,
  spokenS: number | undefined,
): ListReason {
  const texts = match.spelled?.map(({ texts: [text = ""] }) => text) ?? [];
  const typed = match.kind === "words" && match.spelled === null ? match.text : texts.join(" ");
  const words = fold(typed)
    .split(" ")
    .filter((word) => word !== "");
  const fields: [reason: string, text: string][] = [
    ["Matched in the title", video.title],
    ...video.actors.map(({ actor }): [string, string] => [`Matched in ${actor.name}`, actor.name]),
    ...video.tags.map(({ tag }): [string, string] => [`Matched in #${tag.name}`, tag.name]),
    ...video.categories.map(({ category }): [string, string] => [
      `Matched in the category ${category.name}`,
      category.name,
    ]),
    ["Matched in the description", video.description ?? ""],
  ];
  let best = { reason: "Matched by similar words", count: 0 };
  for (const [reason, text] of fields) {
    const count = countMatches(words, text);
    if (count > best.count) best = { reason, count };
  }
  if (spokenS !== undefined && best.count < words.length) {
    return { why: `Said at ${clockTime(spokenS)}`, foundAtS: spokenS };
  }
  const isSimilar = best.count === 0 && match.kind === "titles";
  return { why: isSimilar ? "A similar title" : best.reason };
}
