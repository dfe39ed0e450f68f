/**
 * Characters that are invisible on their own: spaces, control and format characters, fillers,
 * variation selectors, combining marks and the empty Braille pattern.
 */
const invisible = /[\s\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;
const allInvisible = new RegExp(`^${invisible.source}*$`, "u");

/** Returns whether a text is visible to a reader. */
export const hasVisibleText = (text: string): boolean => !allInvisible.test(text);

/** Trims a text. Returns an empty string if none of it is visible. */
export const visibleOrEmpty = (text: string): string => {
  const trimmed = text.trim();
  return hasVisibleText(trimmed) ? trimmed : "";
};

/** Separates names in a text: commas of Latin, Arabic, Chinese and Japanese keyboards. */
export const nameSeparator = /[,،，、]/;

/** Control characters except tab and line breaks, and marks that reorder the text around them. */
const disruptive =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
/** More combining marks than any script puts on one letter. They cover neighboring lines. */
const stackedMarks = /(\p{M}{8})\p{M}+/gu;
/** Zero-width characters without a meaning inside a name. Joiners and direction marks have one. */
const zeroWidth = /[\u00ad\u200b\u2060\ufeff]/g;

/**
 * Removes what would change the text around this one: control characters, direction overrides and
 * piles of combining marks. Keeps line breaks.
 */
export const withoutTricks = (text: string): string =>
  text.toWellFormed().replace(disruptive, "").replace(stackedMarks, "$1");

/** Returns a name on one line, in composed form (NFC), with single spaces. */
export const cleanName = (text: string): string =>
  withoutTricks(text.replace(/[\s\u0085]+/g, " "))
    .replace(zeroWidth, "")
    .replace(/ {2,}/g, " ")
    .trim()
    .normalize("NFC");

/** Punctuation marks. Texts in languages without spaces are cut after them. */
const isMark = /^\p{P}/u;

/** Returns the first characters of a text, as readers count them. */
export function firstCharacters(text: string, count: number): string[] {
  // Old browsers lack the segmenter. They only cut between code points.
  if (typeof Intl.Segmenter !== "function") return [...text].slice(0, count);
  const found: string[] = [];
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (found.push(segment) >= count) break;
  }
  return found;
}

/**
 * Shortens a text to one line of at most `max` visible characters, including the ellipsis. Cuts
 * after a word or a sign if one ends in the second half, and never inside a character.
 */
export function shorten(text: string, max: number): string {
  const line = text.toWellFormed().replace(/\s+/g, " ").trim();
  if (line.length <= max) return line;
  const characters = firstCharacters(line, max + 1);
  if (characters.length <= max) return line;
  const ends = characters.map((sign, at) => (sign === " " ? at : isMark.test(sign) ? at + 1 : 0));
  const end = ends.findLast((at) => at > 0 && at < max) ?? 0;
  return `${characters.slice(0, end > max / 2 ? end : max - 1).join("")}…`;
}
