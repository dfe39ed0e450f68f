/** Texts that the operator wrote instead of those of the product, by their id. */
export type OwnTexts = Readonly<Record<string, string>>;

/** What a text must keep: values, elements, and the number of a counted noun. */
const placeholdersOf = (id: string, text: string): Set<string> =>
  new Set(text.match(id.startsWith("format.") ? /\{\w+\}|#/g : /\{\w+\}/g));

/** What is wrong with the placeholders of a text; null where it has all of the standard one. */
export function placeholderProblem(
  { id, standard }: { id: string; standard: string },
  own: string,
): string | null {
  const [expected, given] = [placeholdersOf(id, standard), placeholdersOf(id, own)];
  const missing = [...expected].filter((each) => !given.has(each));
  if (missing.length > 0) return `Keep ${missing.join(", ")}`;
  const unknown = [...given].filter((each) => !expected.has(each));
  return unknown.length > 0 ? `There is no ${unknown.join(", ")} here` : null;
}
