import type { AdPlacement, AdType } from "./ads.ts";

const ofSlots: readonly AdType[] = ["banner", "popup"];
const ofBreaks: readonly AdType[] = ["video"];

/** Ad types shown in each placement on the site's pages. Other clients may request any. */
export const shownTypes: Readonly<Record<AdPlacement, readonly AdType[]>> = {
  header: ofSlots,
  sidebar: ofSlots,
  footer: ofSlots,
  preroll: ofBreaks,
  midroll: ofBreaks,
  postroll: ofBreaks,
  feed: ["banner", "video"],
};
