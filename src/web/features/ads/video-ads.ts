import type { AdProvider } from "../player/core/ads/ad-provider.ts";

/** Ads of the player's breaks. The scripts come with the first break, never with the page. */
export const videoAds: AdProvider = {
  prepare: async (slot, context) => {
    const { prepareBreak } = await import("./video/prepare-break.ts");
    return prepareBreak(slot, context);
  },
};
