import type { TextMatch } from "#server/features/videos/query/video-filter.sql.ts";
import { closestWord } from "./closest-documents.ts";

/**
 * Returns the typed text as the found document spells it, without words it doesn't contain. Null if
 * nothing changes.
 * @param document words of its title and labels, folded.
 */
export function spelledAs({ spelled }: TextMatch, document: string): string | null {
  if (spelled === null) return null;
  const has = document.split(" ").filter((word) => word !== "");
  const words = spelled.flatMap(({ typed, texts }) => {
    for (const text of texts) {
      if (text.includes(" ")) {
        if (document.includes(text)) return [text];
        continue;
      }
      const found = has.includes(text) ? text : has.find((word) => word.startsWith(text));
      // The word still being typed is left unchanged.
      if (found !== undefined) return [text === typed ? typed : found];
    }
    return closestWord(typed, has) ?? [];
  });
  const typed = spelled.map((word) => word.typed).join(" ");
  const meant = words.join(" ");
  return meant === "" || meant === typed ? null : meant;
}
