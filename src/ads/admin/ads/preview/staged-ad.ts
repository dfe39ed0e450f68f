import { isAdAddress } from "#ads/contract/ad-rules.ts";
import type { PublicAd } from "#ads/contract/ads.ts";
import { isDirectFile } from "#ads/web/vast/media-choice.ts";
import { previewOrigins, type AdForm } from "../ad-form.ts";

/** The ad in a form, as a placement would receive it. */
export interface StagedAd extends Pick<
  PublicAd,
  "title" | "description" | "imageUrl" | "linkUrl" | "widthPx" | "heightPx" | "isBumper"
> {
  type: string;
  html: string | null;
  /** Origins in the policy of its frame. */
  origins: string;
  /** Video file or VAST tag. Only a test shows which video a tag plays. */
  video: { url: string; isFile: boolean } | null;
}

const addressOf = (value: string) => (isAdAddress(value.trim()) ? value.trim() : null);
const sizeOf = (value: string) => {
  const sizePx = Number(value);
  return Number.isInteger(sizePx) && sizePx > 0 && sizePx <= 4000 ? sizePx : null;
};

export function stagedAd(form: AdForm): StagedAd {
  const videoUrl = form.type === "video" ? addressOf(form.vastTagUrl) : null;
  return {
    type: form.type,
    title: form.title.trim() || "Title",
    description: form.description.trim() || null,
    imageUrl: addressOf(form.imageUrl),
    linkUrl: addressOf(form.linkUrl),
    widthPx: sizeOf(form.widthPx),
    heightPx: sizeOf(form.heightPx),
    isBumper: form.isBumper,
    html: form.content.trim() === "" ? null : form.content,
    origins: previewOrigins(form).join(","),
    video: videoUrl === null ? null : { url: videoUrl, isFile: isDirectFile(videoUrl) },
  };
}
