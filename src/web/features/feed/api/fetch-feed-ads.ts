import type { PublicAdList } from "../../../../contract/ads.ts";
import { limits } from "../../../../contract/limits.ts";
import { fetchSpots } from "../../ads/api/fetch-spots.ts";
import { orderByChance } from "../../ads/core/pick.ts";

/** The rotation: at most five ads, in a random order weighted by their chance. */
export async function fetchFeedAds(signal: AbortSignal): Promise<PublicAdList> {
  const { ads, serve } = await fetchSpots({
    placement: "feed",
    types: ["banner", "video"],
    limit: limits.feedAdFetch,
    signal,
  });
  return { ads: orderByChance(ads, Math.random).slice(0, limits.feedAdFetch), serve };
}
