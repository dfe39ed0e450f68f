import type { AdProvider } from "#web/features/player/core/ads/ad-provider.ts";

/** Provides the ads of the player's ad breaks. Their scripts are loaded with the first break. */
export const videoAds: AdProvider = {
  prepare: async (slot, context) => {
    const { prepareAdBreak } = await import("./video/prepare-ad-break.ts");
    return prepareAdBreak(slot, context);
  },
};
