/** Letters that Unicode doesn't decompose, and their plain spelling. */
const plain: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ı: "i",
};

/** Returns the text in lower case without accents and apostrophes, as the search does. */
export const fold = (text: string) =>
  text
    .normalize("NFKD")
    .replace(/[\p{M}'’ʼ]/gu, "")
    .toLowerCase()
    .replace(/[ß-ɏ]/g, (letter) => plain[letter] ?? letter);

/** Returns the words of a search, without excluded words and punctuation. */
export function wordsOf(...texts: readonly string[]): string[] {
  return texts
    .flatMap((text) =>
      text
        .replace(/(^|\s)-("[^"]*"|\S+)/g, " ")
        .split(/[^\p{L}\p{N}\p{M}'’]+/u)
        .map(fold),
    )
    .filter((word) => word !== "");
}

/** Scripts without spaces, in which words are matched inside runs of letters. */
export const hasNoSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
