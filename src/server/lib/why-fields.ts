import { reasonText, reasonTexts, type VideoReason } from "#contract/videos/video-reasons.ts";

const number = new Intl.NumberFormat("en");
const countOf = (count: number, isViewCount: boolean) =>
  isViewCount ? `${number.format(count)} ${count === 1 ? "view" : "views"}` : number.format(count);

/** Reason for a video in a list: in English, and for pages in other languages. */
export interface WhyFields {
  why: string;
  reason: VideoReason;
}

export const reasonFields = (reason: VideoReason): WhyFields => ({
  why: reasonText(reasonTexts, reason, countOf),
  reason,
});
