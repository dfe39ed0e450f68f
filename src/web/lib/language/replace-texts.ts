import type { OwnTexts } from "#contract/site/text-places.ts";

/** Replaces `{1}`, `{2}` and so on in a text with values. */
const fillText = (text: string, values: readonly unknown[]): string =>
  text.replace(/\{(\d)\}/g, (mark, place) => {
    const value = values[Number(place) - 1];
    return typeof value === "string" || typeof value === "number" ? `${value}` : mark;
  });

/**
 * Returns the texts of a group, with the operator's replacements.
 * @param path path of the group.
 */
export function replaceTexts(texts: object, own: OwnTexts, path: string): object {
  return Object.fromEntries(
    Object.entries(texts).map(([name, standard]: [string, unknown]) => {
      const id = `${path}.${name}`;
      if (typeof standard === "object" && standard !== null) {
        return [name, replaceTexts(standard, own, id)];
      }
      const text = own[id];
      if (text === undefined) return [name, standard];
      const isFilled = typeof standard === "function";
      return [name, isFilled ? (...values: unknown[]) => fillText(text, values) : text];
    }),
  );
}
