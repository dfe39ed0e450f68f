/** One of the texts that a typed word may stand for, folded. Of several words one follows the other. */
export interface Term {
  text: string;
  /** It matches nothing longer, whatever stands at its end. */
  isWhole?: boolean;
  /** As a beginning it stands for these words, which an index finds faster than beginnings. */
  completions?: readonly string[] | undefined;
}

/** A typed word, or all that it may stand for. */
export type Word = readonly Term[];

/** Each word costs an index lookup; more words than this hardly narrow a search. */
const maxWords = 12;
const maxWordLength = 64;
/** Joins the characters of scripts without spaces; see `fold` in the migration `text-folding`. */
export const joiner = "\u2060";
const inRow = new RegExp(`[ ${joiner}]`);
/** Shorter prefixes match too many words. The last word is still being typed, so it may be shorter. */
const minPrefixLength = 3;
const minTypedLength = 2;

/** The words of a folded text, each once. */
export function splitWords(folded: string): string[] {
  return [...new Set(folded.split(" "))].filter((word) => word !== "").slice(0, maxWords);
}

interface QueryForm {
  /** Words match what begins with them. */
  isPrefix: boolean;
  /** From this length on the last word counts as a prefix. */
  typed?: number;
  /** Weights of the fields that may hold them: A title and actors, B tags, C categories. */
  fields?: "" | "A" | "AB" | "ABC";
  /** For the indexes by tier, whose words begin with it; words in a row must only occur. */
  isTiered?: boolean;
}

/** Stands for the tier in a tiered query. No folded word holds it. */
export const tierPlaceholder = "@";

/** All words, as a query for `::tsquery`. Quotes and backslashes are removed, so no input escapes. */
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
