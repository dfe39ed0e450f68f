import { reasonText, reasonTexts, type VideoReason } from "#contract/videos/video-reasons.ts";

const number = new Intl.NumberFormat("en");
const countOf = (count: number, isViews: boolean) =>
  isViews ? `${number.format(count)} ${count === 1 ? "view" : "views"}` : number.format(count);

/** Why a video is in a list: in English, and for pages in other languages. */
export interface WhyFields {
  why: string;
  reason: VideoReason;
}

export const whyFields = (reason: VideoReason): WhyFields => ({
  why: reasonText(reasonTexts, reason, countOf),
  reason,
});
