import { counted, formatWhole } from "../format/format.ts";
import { inLanguage, pageLanguage } from "../language/page-language.ts";

const formatTexts = inLanguage("format");

/** Reasons that tell visitors nothing: new videos, whose age is shown, and lists without numbers. */
const empty = /^(newc|expl|publ)/;

/** Returns the ranking reason in the language of the page, or null if it tells nothing. */
export function reasonText(video: {
  views?: number;
  why?: string | null;
  reason?: { kind: string; name?: string | undefined; count?: number | undefined } | undefined;
}): string | null {
  const { kind = "", name = "", count } = video.reason ?? {};
  if (empty.test(kind) || count === 0 || (kind === "trending" && video.views === 0)) return null;
  // The server's own reasons are in English.
  const texts: Readonly<Record<string, string | ((about: string) => string)>> | undefined =
    pageLanguage().texts?.reasonsOfLists;
  const text = texts?.[kind];
  // A newer server may have other reasons than this page.
  if (typeof text !== "function") return text ?? video.why ?? null;
  if (count === undefined) return text(name);
  return text(kind.startsWith("views") ? counted(count, formatTexts.views) : formatWhole(count));
}
