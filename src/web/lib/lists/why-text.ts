import { reasonText, type VideoReason, type reasonTexts } from "../../../contract/video-reasons.ts";
import { counted, formatWhole } from "../format/format.ts";
import { formatTexts } from "../format/messages.ts";
import { pageLanguage, type Texts } from "../language/page-language.ts";

/** The reasons in languages other than English, which the server speaks. */
export type ReasonTexts = Texts<typeof reasonTexts>;

/** What put a video into a list, in the language of the page. */
export function whyText(video: {
  why?: string | null;
  reason?: { kind: string; name?: string | undefined; count?: number | undefined } | undefined;
}): string | null {
  const texts = pageLanguage().texts?.["reasonsOfLists"] as ReasonTexts | undefined;
  const reason = video.reason as VideoReason | undefined;
  // A newer server may have other reasons than this page.
  if (texts === undefined || reason === undefined || !(reason.kind in texts))
    return video.why ?? null;
  return reasonText(texts, reason, (count, isViews) =>
    isViews ? counted(count, formatTexts.views) : formatWhole(count),
  );
}
