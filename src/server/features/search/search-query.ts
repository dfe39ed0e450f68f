/** A word that was typed, or those that it may have been meant to be. Each is folded. */
export type Word = readonly string[];

/** More words than this say nothing new; an index lookup each. */
const mostWords = 12;
const longestWord = 64;
/** The characters of scripts without spaces are joined by this; see `fold` in the migration `text-folding`. */
export const joiner = "\u2060";
/** The beginning of a word shorter than this stands for too many; of the last one, still typed: */
const shortestBeginning = 3;
const shortestTyped = 2;

/** The words of a text that `fold` made, each once. */
export function splitWords(folded: string): string[] {
  return [...new Set(folded.split(" "))].filter((word) => word !== "").slice(0, mostWords);
}

interface QueryForm {
  /** Words match what begins with them. */
  isPrefix: boolean;
  /** The last word counts as a beginning from this length on. */
  typed?: number;
  /** Weights of the fields that may hold them: A title and actors, B tags, C categories. */
  fields?: "" | "A" | "AB" | "ABC";
}

/** All words, as a query that `::tsquery` reads. Nothing that was typed can leave its quotes. */
export function toTsquery(words: readonly Word[], form: QueryForm): string {
  return words.map((word, at) => oneOf(word, at === words.length - 1, form)).join(" & ");
}

function oneOf(word: Word, isLast: boolean, form: QueryForm): string {
  const { isPrefix, fields = "", typed = shortestTyped } = form;
  const parts = word.map((given) => {
    const text = given.replace(/['\\]/g, "");
    const hasPrefix = isPrefix && text.length >= (isLast ? typed : shortestBeginning);
    const segments = text.split(joiner).map((segment) => segment.slice(0, longestWord));
    const terms = segments.map((segment, at) => {
      const star = hasPrefix && at === segments.length - 1 ? "*" : "";
      const flags = `${star}${fields}`;
      return `'${segment}'${flags === "" ? "" : `:${flags}`}`;
    });
    return terms.length === 1 ? (terms[0] ?? "") : `(${terms.join(" <-> ")})`;
  });
  return parts.length === 1 ? (parts[0] ?? "") : `(${parts.join(" | ")})`;
}
