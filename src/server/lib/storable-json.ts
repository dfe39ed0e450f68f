/** Only an escape can produce half of a surrogate pair in JSON, because UTF-8 can't encode one. */
const surrogateEscape = /\\u[dD][89a-fA-F]/;

/** Error for valid JSON that is refused. The message is for people. */
export class NotStorableError extends Error {
  override name = "NotStorableError";
}

/**
 * Default maximum number of values in a text. Apart from the lines of captions, the longest list
 * that any call accepts has 1,000 values.
 */
const defaultMaxValues = 20_000;

/** Returns the index of the quote that ends a string, or of the last character if there is none. */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === "\\" ? 2 : 1;
  return index;
}

/**
 * Returns whether a text contains more than `maxValues` values. Counts the commas and brackets
 * outside strings, because parsing and checking 350,000 empty objects would take much longer.
 */
function hasTooManyValues(text: string, maxValues: number): boolean {
  // Each value takes at least one character and a comma or bracket.
  if (text.length <= maxValues) return false;
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') index = endOfString(text, index);
    else if (character === "," || character === "{" || character === "[") count += 1;
    if (count > maxValues) return true;
  }
  return false;
}

/**
 * Parses JSON from outside.
 * @throws NotStorableError for more than `maxValues` values, and for half of a surrogate pair,
 * which PostgreSQL can't store.
 * @throws SyntaxError or RangeError for invalid or too deeply nested JSON.
 */
export function parseStorableJson(text: string, maxValues = defaultMaxValues): unknown {
  if (hasTooManyValues(text, maxValues)) {
    const count = maxValues.toLocaleString("en");
    throw new NotStorableError(`The JSON contains more than ${count} values.`);
  }
  // Uses no reviver, because it would visit every value and be 50 times slower. A `__proto__` key
  // is harmless, because the schemas only copy known fields.
  const value: unknown = JSON.parse(text);
  if (surrogateEscape.test(text) && !isWellFormed(value)) {
    throw new NotStorableError("The text contains a character that can't be stored.");
  }
  return value;
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWellFormed);
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, held]) => key.isWellFormed() && isWellFormed(held));
}
