/** Only an escape can bring half of a surrogate pair into JSON: UTF-8 has no form for one. */
const surrogateEscape = /\\u[dD][89a-fA-F]/;

/** Thrown for half of a surrogate pair. The message is for people. */
export class NotStorableError extends Error {
  override name = "NotStorableError";
  override message = "The text holds a character that cannot be stored.";
}

/**
 * Parses JSON that comes from outside.
 * @throws NotStorableError for half of a surrogate pair, which PostgreSQL stores in no text and in no JSON.
 * @throws SyntaxError or RangeError for what is no JSON or is nested too deeply.
 */
export function parseStorableJson(text: string): unknown {
  // Without a reviver, which visits every value and is 50 times slower. A `__proto__` key is
  // harmless: the schemas copy the fields that they name and never the rest.
  const value: unknown = JSON.parse(text);
  if (surrogateEscape.test(text) && !isWellFormed(value)) throw new NotStorableError();
  return value;
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWellFormed);
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, held]) => key.isWellFormed() && isWellFormed(held));
}
