import { isUnspaced } from "./search-query.ts";
import { maxTypos, typoDistance } from "./typo.ts";

/** Words of a document, folded. */
export interface DocumentWords {
  id: string;
  title: string;
  /** Words of actors and tags. */
  labels: string;
}

/** Results with a lower score than this fraction of the best one are left out. */
const nearBest = 0.75;
const prefixScore = 0.95;
const typoCost = 0.2;
const labelFactor = 0.9;
/** Penalty for each word of a title that wasn't typed. */
const extraWordCost = 0.02;

/** Returns how well a typed word and a document's word match, from 0 to 1. */
function likeness(typed: string, word: string): number {
  if (word === typed) return 1;
  if (typed.length > 1 && word.startsWith(typed)) return prefixScore;
  const max = maxTypos(typed);
  if (max === 0) return 0;
  const whole = typoDistance(typed, word, max);
  // The typed word may be the beginning of a longer one.
  const cut = Math.min(
    ...[-1, 0, 1].map((more) => {
      const length = typed.length + more;
      return length >= 2 && word.length > length
        ? typoDistance(typed, word.slice(0, length), 1)
        : 2;
    }),
  );
  if (whole <= max) return 1 - typoCost * whole;
  return cut <= 1 ? prefixScore - typoCost * cut : 0;
}

/** Cached, because documents share most of their words. */
function rememberLikeness(typed: string): (word: string) => number {
  const known = new Map<string, number>();
  return (word) => {
    const score = known.get(word) ?? likeness(typed, word);
    known.set(word, score);
    return score;
  };
}

/** Returns the word most like the typed one, or null. */
export function closestWord(typed: string, words: readonly string[]): string | null {
  const [best] = words
    .map((word) => ({ word, score: likeness(typed, word) }))
    .toSorted((a, b) => b.score - a.score);
  return best === undefined || best.score === 0 ? null : best.word;
}

/** Returns the documents that contain the most words, with or without typos, closest first. */
export function rankClosest(
  typed: readonly { text: string; weight: number }[],
  documents: readonly DocumentWords[],
): string[] {
  const words = typed.map(({ text, weight }) => ({
    text,
    likenessTo: rememberLikeness(text),
    weight,
  }));
  const allWeights = typed.reduce((sum, { weight }) => sum + weight, 0);
  const ranked = documents.map(({ id, title, labels }) => {
    const titleWords = title.split(" ");
    const labelWords = labels.split(" ");
    const sum = words.reduce((total, { text, likenessTo, weight }) => {
      // Words of scripts without spaces are inside of longer ones.
      if (isUnspaced(text)) return total + (title.includes(text) ? weight : 0);
      const inTitle = Math.max(...titleWords.map(likenessTo));
      const inLabels = labelFactor * Math.max(...labelWords.map(likenessTo));
      return total + weight * Math.max(inTitle, inLabels);
    }, 0);
    const score = sum / allWeights;
    const extra = Math.max(0, titleWords.length - typed.length) * extraWordCost;
    return { id, score, rank: score - extra };
  });
  // Long titles rank lower but aren't left out because of their length.
  const best = ranked.reduce((max, { score }) => Math.max(max, score), 0);
  const bound = best * nearBest;
  return ranked
    .filter(({ score }) => score >= bound)
    .toSorted((a, b) => b.rank - a.rank || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id);
}
