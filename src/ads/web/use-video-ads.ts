import { useSite, type Site } from "#web/lib/page/site.ts";
import type { AdProvider } from "#web/features/player/core/ads/ad-provider.ts";

/** Provides the ads of the player's ad breaks. Their scripts are loaded with the first break. */
const videoAds: AdProvider = {
  prepare: async (slot, context) => {
    const { prepareAdBreak } = await import("./video/prepare-ad-break.ts");
    return prepareAdBreak(slot, context);
  },
};

/** Returns whether the site may have ads. Also true if its slots are unknown (null). */
function mightHaveAds({ adSlots }: Site, placement: string): boolean {
  return adSlots === null || adSlots.some((slot) => slot.placement === placement);
}

/** Returns whether the first play of a video page may show a pre-roll. */
export function canHavePreroll(site: Site): boolean {
  return mightHaveAds(site, "preroll");
}

/**
 * Returns props of the player. Without ads, there is no provider, so the page loads no scripts for
 * them.
 */
export function useVideoAds(): { ads: AdProvider | null; canHavePreroll: boolean } {
  const site = useSite();
  const hasPreroll = canHavePreroll(site);
  const hasAny = hasPreroll || mightHaveAds(site, "midroll") || mightHaveAds(site, "postroll");
  return { ads: hasAny ? videoAds : null, canHavePreroll: hasPreroll };
}
