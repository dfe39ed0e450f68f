import type { AdProvider } from "#web/features/player/core/ads/ad-provider.ts";

/** Ads of the player's ad breaks. Their scripts load with the first break. */
export const videoAds: AdProvider = {
  prepare: async (slot, context) => {
    const { prepareAdBreak } = await import("./video/prepare-ad-break.ts");
    return prepareAdBreak(slot, context);
  },
};
