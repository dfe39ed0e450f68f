import type { Random } from "#test/reference/random.ts";

/** Latin transliteration of Cyrillic letters. */
const romanised: Readonly<Record<string, readonly string[]>> = {
  а: ["a"],
  б: ["b"],
  в: ["v"],
  г: ["g"],
  д: ["d"],
  е: ["e"],
  ё: ["yo", "e"],
  ж: ["zh"],
  з: ["z"],
  и: ["i"],
  й: ["y", "i", "j"],
  к: ["k"],
  л: ["l"],
  м: ["m"],
  н: ["n"],
  о: ["o"],
  п: ["p"],
  р: ["r"],
  с: ["s"],
  т: ["t"],
  у: ["u"],
  ф: ["f"],
  х: ["kh", "h"],
  ц: ["ts", "c"],
  ч: ["ch"],
  ш: ["sh"],
  щ: ["shch", "sch"],
  ъ: [""],
  ы: ["y"],
  ь: [""],
  э: ["e"],
  ю: ["yu"],
  я: ["ya"],
};

/** Rarer spellings of the same letters. */
export const romanisedOtherwise: Readonly<Record<string, readonly string[]>> = {
  е: ["e", "ye", "je"],
  ё: ["jo", "io"],
  ж: ["zh", "j"],
  й: ["y", "j", "i"],
  х: ["kh", "h", "x"],
  ц: ["ts", "c", "tz"],
  ш: ["sh"],
  щ: ["shch", "shh"],
  ы: ["y", "i"],
  ь: ["", "'"],
  ю: ["ju", "iu"],
  я: ["ja", "ia"],
};
/**
 * Transliterates Cyrillic letters to Latin ones at random, using the usual spellings and the rarer ones
 * above.
 */
export function romanise(
  random: Random,
  text: string,
  others: Readonly<Record<string, readonly string[]>> = {},
): string {
  return Array.from(text, (letter) => {
    const forms = others[letter] ?? romanised[letter];
    return forms === undefined ? letter : random.pick(forms);
  }).join("");
}
