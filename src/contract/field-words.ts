/** Words for fields whose names are unclear or abbreviated. */
const known: Record<string, string> = {
  "break gap": "time between ad breaks",
  "preroll min video": "minimum duration of videos with a pre-roll",
  "publish at": "publication time",
  "vast tag url": "video or VAST URL",
};

/**
 * Returns the words for a field, such as "site name" for `siteName` or "published" for
 * `isPublished`, for messages that people read.
 */
export function fieldWords(field: string): string {
  const words = field
    .replace(/[_-]+/g, " ")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replace(/^(is|has|can) /, "")
    .replace(/ (s|ms|px|bytes)$/, "");
  return known[words] ?? words.replace(/\b(url|id)(?=s?\b)/g, (word) => word.toUpperCase());
}

/** Returns the words for a field as a label, such as "Site name". */
export const fieldTitle = (field: string): string => capitalized(fieldWords(field));

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * Returns a problem with a field as a sentence, such as "Published must be true or false" or "Tags 2:
 * at most 80 characters".
 * @param path names of the field and of its parents, and positions in lists from 0.
 */
export function problemText(path: readonly string[], problem: string): string {
  const words = path.map((part) =>
    /^\d+$/.test(part) ? String(Number(part) + 1) : fieldWords(part),
  );
  const isPredicate = /^(must|is|has|doesn't|can't) /.test(problem);
  return path.length === 0
    ? problem
    : `${capitalized(words.join(" "))}${isPredicate ? "" : ":"} ${problem}`;
}
