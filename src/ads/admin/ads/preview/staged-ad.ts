import { isAdAddress } from "#ads/contract/ad-rules.ts";
import { adPlacements, type PublicAd, type AdPlacement } from "#ads/contract/ads.ts";
import { isDirectFile } from "#ads/web/vast/media-choice.ts";
import { previewOrigins, type AdForm } from "../ad-form.ts";
import { countOf } from "../form-values.ts";
import { shownTypes } from "#ads/contract/ad-placements.ts";

export interface PreviewSize {
  widthPx: number;
  heightPx: number;
}

/** Screens for previewing an ad. */
export const previewSizes = {
  phone: { widthPx: 390, heightPx: 844 },
  tablet: { widthPx: 820, heightPx: 1180 },
  desktop: { widthPx: 1440, heightPx: 900 },
} as const satisfies Record<string, PreviewSize>;
export type PreviewDevice = keyof typeof previewSizes;
export const previewDevices = ["phone", "tablet", "desktop"] as const satisfies PreviewDevice[];

export const isAdBreakPlacement = (placement: AdPlacement): boolean => placement.endsWith("roll");

/**
 * Returns whether the placement shows ads of this type. Each placement only requests some types.
 */
export function isShownIn(type: string, placement: AdPlacement): boolean {
  return type === "" || shownTypes[placement].some((shown) => shown === type);
}

/** Returns the placements that allow this type of ad. */
export const placementsOf = (type: string): AdPlacement[] =>
  adPlacements.filter((placement) => isShownIn(type, placement));

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
  const sizePx = countOf(value) ?? 0;
  return sizePx > 0 && sizePx <= 4000 ? sizePx : null;
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
