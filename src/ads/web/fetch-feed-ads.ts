import type { PublicAdList } from "../contract/ads.ts";
import { limits } from "#contract/limits.ts";
import { fetchAds } from "./api/fetch-ads.ts";

/** Fetches ads for the next place in the feed. Their maximum number is the size of the rotation. */
export function fetchFeedAds(signal: AbortSignal): Promise<PublicAdList> {
  return fetchAds({ placement: "feed", limit: limits.feedAdFetch, signal });
}
