/** Returns the text in lower case without accents and apostrophes, as the search does. */
export const fold = (text: string) =>
  text
    .normalize("NFKD")
    .replace(/[\p{M}'’]/gu, "")
    .toLowerCase();

/** Returns the words of a search, without excluded words and punctuation. */
export function wordsOf(...texts: readonly string[]): string[] {
  const words = texts.flatMap((text) =>
    text
      .replace(/(^|\s)-("[^"]*"|\S+)/g, " ")
      .split(/[^\p{L}\p{N}\p{M}'’]+/u)
      .map(fold),
  );
  return [...new Set(words)].filter((word) => word !== "");
}

/** Scripts without spaces, in which words are matched inside runs of letters. */
export const hasNoSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
