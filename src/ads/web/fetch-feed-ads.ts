import type { PublicAdList } from "../contract/ads.ts";
import { limits } from "#contract/limits.ts";
import { fetchAds } from "./api/fetch-ads.ts";

/** Fetches ads for the next place in the feed, at most the number that rotate there. */
export function fetchFeedAds(signal: AbortSignal): Promise<PublicAdList> {
  return fetchAds({ placement: "feed", limit: limits.feedAdFetch, signal });
}
