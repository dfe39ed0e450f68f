import type { TextMatch } from "#server/features/videos/query/video-filter.sql.ts";
import { closestWord } from "./closest-documents.ts";

/**
 * Returns the typed text in the spelling of the found document, without words that it doesn't
 * contain. Returns null if nothing changes.
 * @param document folded words of its title and labels.
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
      // The word that is still being typed stays unchanged.
      if (found !== undefined) return [text === typed ? typed : found];
    }
    return closestWord(typed, has) ?? [];
  });
  const typed = spelled.map((word) => word.typed).join(" ");
  const meant = words.join(" ");
  return meant === "" || meant === typed ? null : meant;
}
