import type { reasonTexts } from "#contract/videos/video-reasons.ts";
import { counted, formatWhole } from "../format/format.ts";
import { formatTexts } from "../format/messages.ts";
import { pageLanguage, type Texts } from "../language/page-language.ts";

/** Ranking reasons in languages other than English. The server sends English ones. */
export type ReasonTexts = Texts<typeof reasonTexts>;

/** Returns the ranking reason in the language of the page. */
export function reasonText(video: {
  why?: string | null;
  reason?: { kind: string; name?: string | undefined; count?: number | undefined } | undefined;
}): string | null {
  const { kind = "", name = "", count } = video.reason ?? {};
  const texts = pageLanguage().texts?.["reasonsOfLists"] as
    | Readonly<Record<string, string | ((about: string) => string)>>
    | undefined;
  const text = texts?.[kind];
  // A newer server may have other reasons than this page.
  if (typeof text !== "function") return text ?? video.why ?? null;
  if (count === undefined) return text(name);
  return text(kind.startsWith("views") ? counted(count, formatTexts.views) : formatWhole(count));
}
