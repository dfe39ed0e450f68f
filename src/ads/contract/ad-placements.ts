import type { AdPlacement, AdType } from "./ads.ts";

const ofSlots: readonly AdType[] = ["banner", "popup"];
const ofBreaks: readonly AdType[] = ["video"];

/** The types that the pages of the site show in a placement. Other clients may ask for any of them. */
export const shownTypes: Readonly<Record<AdPlacement, readonly AdType[]>> = {
  header: ofSlots,
  sidebar: ofSlots,
  footer: ofSlots,
  preroll: ofBreaks,
  midroll: ofBreaks,
  postroll: ofBreaks,
  feed: ["banner", "video"],
};
