import { useSite, type Site } from "#web/lib/page/site.ts";
import type { AdProvider } from "#web/features/player/core/ads/ad-provider.ts";
import { videoAds } from "./video-ads.ts";

/** True as well where the slots of the site are unknown (null). */
function mayHave({ adSlots }: Site, placement: string): boolean {
  return adSlots === null || adSlots.some((slot) => slot.placement === placement);
}

/** Whether the first play of a video page may show a pre-roll. */
export function mayHavePreroll(site: Site): boolean {
  return mayHave(site, "preroll");
}

/** Properties of the player. No provider without ads: then the page loads no script for them. */
export function useVideoAds(): { ads: AdProvider | null; mayHavePreroll: boolean } {
  const site = useSite();
  const hasPreroll = mayHavePreroll(site);
  const hasAny = hasPreroll || mayHave(site, "midroll") || mayHave(site, "postroll");
  return { ads: hasAny ? videoAds : null, mayHavePreroll: hasPreroll };
}
