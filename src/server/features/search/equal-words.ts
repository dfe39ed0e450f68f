import type { Term, Word } from "./search-query.ts";

const units =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const ordinals = "first second third fourth fifth sixth seventh eighth ninth tenth".split(" ");
/** Maximum Roman numeral. Titles rarely contain longer ones. */
const maxRoman = 39;
const maxSpelled = 999;

/**
 * Spells out a number: 23 as twenty three. Returns an empty list unless it is a whole number up to
 * 999.
 */
function spell(value: number): string[] {
  if (value < 20) return [units[value] ?? ""];
  if (value < 100) {
    const ten = tens[Math.floor(value / 10) - 2] ?? "";
    return value % 10 === 0 ? [ten] : [ten, units[value % 10] ?? ""];
  }
  const rest = value % 100 === 0 ? [] : spell(value % 100);
  return [units[Math.floor(value / 100)] ?? "", "hundred", ...rest];
}

function toRoman(value: number): string {
  const ones = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"];
  return "x".repeat(Math.floor(value / 10)) + (ones[value % 10] ?? "");
}

const spelled = new Map<string, number>();
for (let value = 0; value <= maxSpelled; value += 1) spelled.set(spell(value).join(" "), value);
const roman = new Map<string, number>();
for (let value = 1; value <= maxRoman; value += 1) roman.set(toRoman(value), value);

/** First digits of other scripts: Arabic, Persian and Urdu, Devanagari, Bengali. */
const zeros = ["٠", "۰", "०", "০"];

const toDigits = (value: number, zero: string): string =>
  String(value).replace(/\d/g, (digit) =>
    String.fromCodePoint((zero.codePointAt(0) ?? 0) + Number(digit)),
  );

/** Returns digits of other scripts as 0 to 9. */
const toAscii = (word: string): string =>
  Array.from(word, (character) => {
    const code = character.codePointAt(0) ?? 0;
    const zero = zeros
      .map((each) => each.codePointAt(0) ?? 0)
      .find((at) => code >= at && code < at + 10);
    return zero === undefined ? character : String(code - zero);
  }).join("");

/** Returns all ways to write the number. */
function formsOf(value: number): Term[] {
  const forms = [String(value), ...zeros.map((zero) => toDigits(value, zero))];
  if (value <= maxSpelled) forms.push(spell(value).join(" "));
  if (value > 0 && value <= maxRoman) forms.push(toRoman(value));
  return forms.map((text) => ({ text, isWhole: true }));
}

/**
 * Returns the number that starts here, and how many words it takes. A single letter counts only at
 * the end.
 */
function numberAt(words: readonly string[], at: number): { value: number; length: number } | null {
  const word = toAscii(words[at] ?? "");
  if (/^\d{1,4}$/.test(word)) return { value: Number(word), length: 1 };
  for (const length of [3, 2, 1]) {
    const value = spelled.get(words.slice(at, at + length).join(" "));
    if (value !== undefined && at + length <= words.length) return { value, length };
  }
  const value = roman.get(word);
  const isSign = word.length > 1 || (at > 0 && at === words.length - 1);
  return value === undefined || !isSign ? null : { value, length: 1 };
}

const article = "ال";

/**
 * Returns other spellings with the same meaning: 2nd and second, or with and without an Arabic
 * article.
 */
function equalTo(word: string): Term[] {
  const ordinal = ordinals.indexOf(word);
  if (ordinal >= 0) {
    return [{ text: `${ordinal + 1}${["st", "nd", "rd"][ordinal] ?? "th"}`, isWhole: true }];
  }
  const digits = /^(\d+)(st|nd|rd|th)$/.exec(word);
  const name = ordinals[Number(digits?.[1] ?? 0) - 1];
  if (name !== undefined) return [{ text: name, isWhole: true }];
  if (!/^\p{Script=Arabic}{2,}$/u.test(word)) return [];
  return [{ text: word.startsWith(article) && word.length > 4 ? word.slice(2) : article + word }];
}

/** Returns each word with its equivalent spellings: numbers, ordinals, Arabic articles. */
export function withEqualWords(words: readonly string[]): Word[] {
  const result: Word[] = [];
  for (let index = 0; index < words.length;) {
    const number = numberAt(words, index);
    const typed = words.slice(index, index + (number?.length ?? 1));
    const text = typed.join(" ");
    const forms = number === null ? equalTo(text) : formsOf(number.value);
    result.push([{ text }, ...forms.filter((form) => form.text !== text)]);
    index += typed.length;
  }
  return result;
}
