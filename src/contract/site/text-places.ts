/** Texts that the operator wrote instead of those of the product, by their id. */
export type OwnTexts = Readonly<Record<string, string>>;

const isCounted = (id: string) => /\.(zero|one|two|few|many|other)$/.test(id);

/** Returns what every version of a text contains: values, elements, the number of a counted noun. */
const placeholdersOf = (id: string, text: string): Set<string> =>
  new Set(text.match(isCounted(id) ? /\{\w+\}|<\w+\/>|#/g : /\{\w+\}|<\w+\/>/g));

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
