import { midrollResponse } from "#contract/videos/videos.ts";
import { call } from "#web/lib/api/http.ts";
import { createAdDirector, type AdDirector, type AdHooks } from "./ad-director.ts";
import type { AdProvider } from "./ad-provider.ts";

/** Returns the times in seconds, ascending. */
async function fetchMidrollTimes(videoId: string): Promise<number[]> {
  const path = `/api/videos/${encodeURIComponent(videoId)}/midroll`;
  return (await call(path, midrollResponse)).config.times;
}

/**
 * Returns a function that creates the ad director for a provider. Pages without ads never load this
 * module.
 */
export function findDirectAds(provider: AdProvider): (hooks: AdHooks) => AdDirector {
  return (hooks) => createAdDirector({ ...hooks, provider, midrollTimes: fetchMidrollTimes });
}
