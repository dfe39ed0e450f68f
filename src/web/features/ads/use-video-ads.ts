import { useSite, type Site } from "../../lib/site.ts";
import type { AdProvider } from "../player/core/ads/ad-provider.ts";
import { videoAds } from "./video-ads.ts";

/** Where the site's placements are unknown (null) there may be one. */
function mayHave({ adPlaces }: Site, placement: string): boolean {
  return adPlaces === null || adPlaces.some((place) => place.placement === placement);
}

/** Whether the first play of a video page may be a pre-roll's. */
export function mayHavePreroll(site: Site): boolean {
  return mayHave(site, "preroll");
}

/**
 * The player's ads, as its properties: no provider where there is nothing to show, so that such a
 * page loads nothing for it.
 */
export function useVideoAds(): { ads: AdProvider | null; mayHavePreroll: boolean } {
  const site = useSite();
  const hasPreroll = mayHavePreroll(site);
  const hasAny = hasPreroll || mayHave(site, "midroll") || mayHave(site, "postroll");
  return { ads: hasAny ? videoAds : null, mayHavePreroll: hasPreroll };
}
