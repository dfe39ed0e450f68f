/** A search as it was typed: `moon "quiet harbour" -night`. */
export interface SearchText {
  words: string;
  /** In quotes: these words, one after another. */
  phrases: string[];
  /** After a minus: videos with these are left out. */
  excluded: string[];
}

const part = /(?<minus>-)?(?:"(?<phrase>[^"]*)"|(?<word>[^\s"]+))/gu;
const hasLetter = /[\p{L}\p{N}]/u;

/**
 * Words, phrases in quotes, and what a minus leaves out. A minus alone leaves nothing to search
 * for, so it is a sign.
 */
export function parseSearchText(typed: string): SearchText {
  const words: string[] = [];
  const phrases: string[] = [];
  const excluded: string[] = [];
  for (const { groups = {} } of typed.replace(/[“”„«»]/g, '"').matchAll(part)) {
    const text = groups.phrase ?? groups.word ?? "";
    if (groups.minus !== undefined && hasLetter.test(text)) excluded.push(text);
    else if (groups.phrase === undefined) words.push(text);
    else phrases.push(text);
  }
  if (words.length === 0 && phrases.length === 0) {
    return { words: excluded.join(" "), phrases, excluded: [] };
  }
  return { words: words.join(" "), phrases, excluded };
}
