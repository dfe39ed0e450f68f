import type { PublicAdList } from "../contract/ads.ts";
import { limits } from "#contract/limits.ts";
import { fetchAds } from "./api/fetch-ads.ts";
import { orderByChance } from "./core/pick-ad.ts";

/** The rotation: at most five ads, in a random order weighted by their chance. */
export async function fetchFeedAds(signal: AbortSignal): Promise<PublicAdList> {
  const { ads, serve } = await fetchAds({
    placement: "feed",
    limit: limits.feedAdFetch,
    signal,
  });
  return { ads: orderByChance(ads, Math.random).slice(0, limits.feedAdFetch), serve };
}
