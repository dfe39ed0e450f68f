import { feedList, type FeedList } from "#contract/lists/feed.ts";
import { call, queryString } from "#web/lib/api/http.ts";
import { steeringQuery } from "./core/steering.ts";

/**
 * Fetches a page of the feed for this visitor. When a session begins, `shownSlugs` are already on
 * the page.
 */
export function fetchFeed(
  place: { cursor: string } | { shownSlugs: readonly string[] },
  signal: AbortSignal,
): Promise<FeedList> {
  const query =
    "cursor" in place ? { cursor: place.cursor } : { shown: place.shownSlugs.join(",") };
  return call(`/api/feed${queryString({ ...query, ...steeringQuery() })}`, feedList, { signal });
}
