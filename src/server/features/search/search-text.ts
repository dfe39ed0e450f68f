/** Search as the visitor typed it: `moon "quiet harbour" -night`. */
export interface SearchText {
  words: string;
  /** Quoted phrases, whose words must follow each other. */
  phrases: string[];
  /** Words after a minus. Videos that contain them are left out. */
  excluded: string[];
}

const part = /(?<minus>-)?(?:"(?<phrase>[^"]*)"|(?<word>[^\s"]+))/gu;
const hasLetter = /[\p{L}\p{N}]/u;

/**
 * Splits a search into words, quoted phrases and excluded words. A search that has only excluded
 * words would find nothing, so its minus is ignored.
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
