import { nameSeparator } from "#contract/text.ts";

/** Splits "a, b,, c " into ["a", "b", "c"]. */
export function splitNames(text: string): string[] {
  return text
    .split(nameSeparator)
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

export function joinNames(names: readonly string[]): string {
  return names.join(", ");
}

const fragmentAt = (text: string): number =>
  text.length - (text.split(nameSeparator).at(-1) ?? "").length;

/** Returns the text after the last comma. */
const currentFragment = (text: string): string => text.slice(fragmentAt(text)).trim();

/** Returns the text with its last name completed, ready for the next one. */
export function completeNames(text: string, name: string): string {
  const before = text.slice(0, fragmentAt(text)).trim();
  return `${before === "" ? "" : `${before} `}${name}, `;
}

/**
 * Suggests matching names that aren't in the text yet. Names that begin with the fragment come
 * first.
 */
export function suggestNames(text: string, known: readonly string[], most: number): string[] {
  const fragment = currentFragment(text).toLowerCase();
  if (fragment === "") return [];
  const taken = new Set(splitNames(text).map((name) => name.toLowerCase()));
  const rank = (name: string) => (name.toLowerCase().startsWith(fragment) ? 0 : 1);
  return known
    .filter((name) => name.toLowerCase().includes(fragment) && !taken.has(name.toLowerCase()))
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, most);
}
