import { isUuid, newId } from "./ids.ts";

/** Base letters of Latin and Greek, whose marks are accents rather than part of the letter. */
const accented = /([\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu;
/** Full-width and half-width forms, and the ideographic space. */
const otherWidth = /[\u3000\uff01-\uffee]+/g;
/** Zero-width characters, direction marks and variation selectors. */
const ignored = /[\u200b-\u200f\u2060]|\p{Variation_Selector}/gu;
/** Latin letters without a decomposition in Unicode. */
const plainLetters: Record<string, string> = { ø: "o", đ: "d", ł: "l", æ: "ae", œ: "oe", ı: "i" };

/**
 * Replaces Latin and Greek letters in lower case with their plain forms. Marks of other scripts stay,
 * because they make other letters (й, が) or carry vowels (Devanagari).
 */
export const foldLetters = (lowerCase: string): string =>
  lowerCase
    .normalize("NFD")
    .replace(accented, "$1")
    .normalize("NFC")
    .replace(/[øđłæœı]/g, (letter) => plainLetters[letter] ?? letter)
    .replace(/ς/g, "σ");

/**
 * Returns the identity of a name: two names are the same if they differ only in case, spaces,
 * composition (NFC), width, or accents of Latin and Greek letters.
 */
export const foldName = (name: string): string =>
  foldLetters(
    name
      .replace(otherWidth, (forms) => forms.normalize("NFKC"))
      .replace(ignored, "")
      // Full case folding: ß becomes ss.
      .toUpperCase()
      .toLowerCase(),
  )
    .replace(/\s+/g, " ")
    .trim();

const slugMax = 80;

/**
 * Converts a title or name to its form in addresses: folded letters and digits of every script,
 * joined by single hyphens. Equal identities (`foldName`) have equal slugs. The result has at most
 * 80 characters, and is cut between words if possible. It is "" if nothing remains (an emoji).
 * Callers then use an id.
 */
export function slugify(text: string): string {
  const slug = foldName(text)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/['’]/g, "")
    // A mark without a letter before it can't start a word.
    .replace(/(?<![\p{L}\p{N}\p{M}])\p{M}+/gu, "")
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  const letters = [...slug];
  if (letters.length <= slugMax) return slug;
  const cut = letters.slice(0, slugMax + 1);
  const atWord = cut.lastIndexOf("-");
  const end = atWord > slugMax / 2 ? atWord : slugMax;
  return letters.slice(0, end).join("").replace(/-+$/, "");
}

/** Returns whether `slugCandidates` may have made this slug for the name. */
export function isSlugOf(slug: string, name: string): boolean {
  const base = slugify(name);
  return base !== "" && (slug === base || slug.startsWith(`${base}-`));
}

/**
 * Generates slugs: "the-name", "the-name-2" and so on, then random ones if many have the same name.
 * None looks like an id.
 * @param word first part of slugs for names without a letter or digit.
 */
export function* slugCandidates(name: string, word: string): Generator<string> {
  const slug = slugify(name);
  const base = slug === "" || isUuid(slug) ? `${word}-${slug || newId().slice(-12)}` : slug;
  yield base;
  for (let n = 2; n <= 20; n += 1) yield `${base}-${n}`;
  for (;;) yield `${base}-${newId().slice(-8)}`;
}
