import type { TextMatch } from "#server/features/videos/query/video-filter.sql.ts";
import { closestWord } from "./closest-documents.ts";

/**
 * How a document that was found spells what was typed; words that it does not have are left out. Null
 * where nothing changes.
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
      // What is still being typed stays as it is.
      if (found !== undefined) return [text === typed ? typed : found];
    }
    return closestWord(typed, has) ?? [];
  });
  const typed = spelled.map((word) => word.typed).join(" ");
  const meant = words.join(" ");
  return meant === "" || meant === typed ? null : meant;
}
