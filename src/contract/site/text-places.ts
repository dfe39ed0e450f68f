/** Texts that the operator wrote to replace the built-in ones, by id. */
export type OwnTexts = Readonly<Record<string, string>>;

const isCounted = (id: string) => /\.(zero|one|two|few|many|other)$/.test(id);

/**
 * Returns the placeholders that every version of a text must contain: values, elements, and the
 * number in a counted noun.
 */
const placeholdersOf = (id: string, text: string): Set<string> =>
  new Set(text.match(isCounted(id) ? /\{\w+\}|<\w+\/>|#/g : /\{\w+\}|<\w+\/>/g));

/**
 * Returns what is wrong with a translation's placeholders, or null if it has all those of the
 * standard text.
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
