import { useSite } from "../../lib/site.ts";
import type { AdProvider } from "../player/core/ads/ad-provider.ts";
import { videoAds } from "./video-ads.ts";

/**
 * The player's ads, as its properties: no provider where there is nothing to show, so that such a
 * page loads nothing for it. Without knowledge (null) a break asks.
 */
export function useVideoAds(): { ads: AdProvider | null; mayHavePreroll: boolean } {
  const { adPlaces } = useSite();
  const has = (placement: string) =>
    adPlaces === null || adPlaces.some((place) => place.placement === placement);
  const mayHavePreroll = has("preroll");
  const hasAny = mayHavePreroll || has("midroll") || has("postroll");
  return { ads: hasAny ? videoAds : null, mayHavePreroll };
}
