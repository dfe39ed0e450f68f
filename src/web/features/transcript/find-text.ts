import { fold } from "#web/components/video/search-words.ts";

/** Folded text, and the place in the original of each of its characters. */
interface FoldedText {
  text: string;
  places: number[];
}

function foldWithPlaces(text: string): FoldedText {
  const folded: FoldedText = { text: "", places: [] };
  let at = 0;
  for (const character of text) {
    const part = fold(character);
    folded.text += part;
    for (let count = 0; count < part.length; count += 1) folded.places.push(at);
    at += character.length;
  }
  folded.places.push(text.length);
  return folded;
}

/**
 * Splits a text at the places that match, regardless of case and accents. Parts with an odd index
 * match.
 * @param query folded; not empty.
 */
export function splitAtMatches(text: string, query: string): string[] {
  const folded = foldWithPlaces(text);
  const parts: string[] = [];
  let last = 0;
  let found = folded.text.indexOf(query);
  while (found >= 0) {
    const start = folded.places[found] ?? 0;
    const end = folded.places[found + query.length] ?? text.length;
    // A match can end inside the folded form of one character.
    if (start >= last && end > start) {
      parts.push(text.slice(last, start), text.slice(start, end));
      last = end;
    }
    found = folded.text.indexOf(query, found + query.length);
  }
  return [...parts, text.slice(last)];
}
