import { counted, formatWhole } from "../format/format.ts";
import { formatTexts } from "../format/messages.ts";
import { pageLanguage } from "../language/page-language.ts";

/** Returns the ranking reason in the language of the page. */
export function reasonText(video: {
  why?: string | null;
  reason?: { kind: string; name?: string | undefined; count?: number | undefined } | undefined;
}): string | null {
  const { kind = "", name = "", count } = video.reason ?? {};
  // The server's own reasons are in English.
  const texts: Readonly<Record<string, string | ((about: string) => string)>> | undefined =
    pageLanguage().texts?.reasonsOfLists;
  const text = texts?.[kind];
  // A newer server may have other reasons than this page.
  if (typeof text !== "function") return text ?? video.why ?? null;
  if (count === undefined) return text(name);
  return text(kind.startsWith("views") ? counted(count, formatTexts.views) : formatWhole(count));
}
