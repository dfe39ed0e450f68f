import type { FeedList } from "../../../../contract/feed.ts";
import { call, queryString } from "../../../lib/http.ts";
import { feedListShape } from "../../../lib/wire-shapes.ts";

/** A page for this visitor; `shownSlugs` are on the screen already when a session begins. */
export function fetchFeed(
  place: { cursor: string } | { shownSlugs: readonly string[] },
  signal: AbortSignal,
): Promise<FeedList> {
  const query =
    "cursor" in place ? { cursor: place.cursor } : { shown: place.shownSlugs.join(",") };
  return call(`/api/feed${queryString(query)}`, feedListShape, { signal });
}
