import { fold, wordsOf } from "#web/components/video/search-words.ts";

/** Returns the length of the longest typed word that this word starts with, or 0. */
function typedLength(word: string, typed: readonly string[]): number {
  for (let length = word.length; length > 0; length -= 1) {
    if (typed.includes(fold(word.slice(0, length)))) return length;
  }
  return 0;
}

/**
 * Emphasises the part of a suggestion that hasn't been typed yet. A text without a typed word is
 * unchanged.
 */
export function CompletedText({ text, typed }: { text: string; typed: string }) {
  const words = wordsOf(typed);
  // Parts with an odd index are words.
  const parts = text.split(/([\p{L}\p{N}\p{M}'’]+)/u).flatMap((part, at) => {
    const length = at % 2 === 1 ? typedLength(part, words) : 0;
    return [
      { text: part.slice(0, length), isTyped: true },
      { text: part.slice(length), isTyped: false },
    ].filter((each) => each.text !== "");
  });
  if (!parts.some(({ isTyped }) => isTyped)) return text;
  return parts.map((part, at) =>
    part.isTyped ? (
      part.text
    ) : (
      <span key={at} className="font-semibold">
        {part.text}
      </span>
    ),
  );
}
