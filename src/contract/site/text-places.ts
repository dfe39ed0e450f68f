/** Texts that the operator wrote instead of those of the product, by their id. */
export type OwnTexts = Readonly<Record<string, string>>;

/**
 * Returns the placeholders that a translation must contain: values, elements, and the number of a
 * counted noun.
 */
const placeholdersOf = (id: string, text: string): Set<string> =>
  new Set(text.match(id.startsWith("format.") ? /\{\w+\}|#/g : /\{\w+\}/g));

/**
 * Returns the problem with a translation's placeholders; null if it has all of the standard text's.
 */
export function placeholderProblem(
  { id, standard }: { id: string; standard: string },
  own: string,
): string | null {
  const [expected, given] = [placeholdersOf(id, standard), placeholdersOf(id, own)];
  const missing = [...expected].filter((each) => !given.has(each));
  if (missing.length > 0) return `Keep ${missing.join(", ")}`;
  const unknown = [...given].filter((each) => !expected.has(each));
  return unknown.length > 0 ? `Remove ${unknown.join(", ")}` : null;
}
