import type { PublicAdList } from "../contract/ads.ts";
import { limits } from "#contract/limits.ts";
import { fetchAds } from "./api/fetch-ads.ts";

/** Ads for the next place in the feed, at most as many as take turns there. */
export function fetchFeedAds(signal: AbortSignal): Promise<PublicAdList> {
  return fetchAds({ placement: "feed", limit: limits.feedAdFetch, signal });
}
