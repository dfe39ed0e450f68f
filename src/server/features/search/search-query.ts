/** Folded reading of a typed word. If it has several words, they must follow each other. */
export interface Term {
  text: string;
  /** True if it must not match longer words, even at the end. */
  isWhole?: boolean;
  /** Words that complete it as a prefix. An index finds them faster than prefixes. */
  completions?: readonly string[] | undefined;
}

/** Typed word with all its readings. */
export type Word = readonly Term[];

/**
 * Maximum number of words. Each one costs an index lookup, and further words hardly narrow a
 * search.
 */
const maxWords = 12;
const maxWordLength = 64;
/** Joins the characters of scripts without spaces; see `fold` in the migration `text-folding`. */
export const joiner = "\u2060";
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Returns whether a text is in a script that doesn't put spaces between words. */
export const isUnspaced = (text: string): boolean => unspaced.test(text);
const inRow = new RegExp(`[ ${joiner}]`);
/**
 * Minimum length of a prefix, because shorter ones match too many words. The last word may be
 * shorter, because it is still being typed.
 */
const minPrefixLength = 3;
const minTypedLength = 2;

/** Returns the distinct words of a folded text. */
export function splitWords(folded: string): string[] {
  return [...new Set(folded.split(" "))].filter((word) => word !== "").slice(0, maxWords);
}

interface QueryForm {
  /** Matches words as prefixes. */
  isPrefix: boolean;
  /** Minimum length from which the last word counts as a prefix. */
  typed?: number;
  /** Weights of the fields to search: A title and actors, B tags, C categories. */
  fields?: "" | "A" | "AB" | "ABC";
  /**
   * True for the indexes by tier, in which each word starts with the tier. The words of a phrase
   * must then only occur, in any order.
   */
  isTiered?: boolean;
}

/** Placeholder for the tier in a tiered query. No folded word contains it. */
export const tierPlaceholder = "@";

/**
 * Returns a query for all words, for `::tsquery`. Removes quotes and backslashes, so that no input
 * can break out of the syntax.
 */
export function toTsquery(words: readonly Word[], form: QueryForm): string {
  return words.map((word, at) => oneOf(word, at === words.length - 1, form)).join(" & ");
}

function oneOf(word: Word, isLast: boolean, form: QueryForm): string {
  const { isPrefix, typed = minTypedLength } = form;
  const parts = word.flatMap(({ text: given, isWhole = false, completions }) => {
    const text = given.replace(/['\\]/g, "");
    const hasPrefix = isPrefix && !isWhole && text.length >= (isLast ? typed : minPrefixLength);
    if (!hasPrefix || completions === undefined) return [oneTerm(text, hasPrefix, form)];
    return [text, ...completions].map((whole) => oneTerm(whole, false, form));
  });
  return parts.length === 1 ? (parts[0] ?? "") : `(${parts.join(" | ")})`;
}

function oneTerm(text: string, hasPrefix: boolean, form: QueryForm): string {
  const { fields = "", isTiered = false } = form;
  const segments = text.split(inRow).map((segment) => segment.slice(0, maxWordLength));
  const terms = segments.map((segment, at) => {
    const star = hasPrefix && at === segments.length - 1 ? "*" : "";
    const flags = `${star}${fields}`;
    const tier = isTiered ? `${tierPlaceholder}/` : "";
    return `'${tier}${segment}'${flags === "" ? "" : `:${flags}`}`;
  });
  return terms.length === 1 ? (terms[0] ?? "") : `(${terms.join(isTiered ? " & " : " <-> ")})`;
}
