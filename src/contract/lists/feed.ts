import { z } from "zod";
import { limits } from "../limits.ts";
import { pageQuery, queryBool, queryText } from "./paging.ts";
import { video, videoReason } from "../videos/videos.ts";

/** Maximum number of clips that a page shows before it requests more. */
export const feedHeadMax = 3;

/** Number of recent interests that a page sends. */
export const steeringMax = { not: 40, less: 20 } as const;
const idsMax = (count: number) => count * 37;

/**
 * GET /api/feed. A call without a cursor starts a session. `shown`: comma-separated slugs or ids
 * already on the page, in order. They don't appear again. `personal=false` ignores the visitor's
 * taste. `not`: comma-separated ids of unwanted videos. `less`: comma-separated ids of unwanted
 * tags.
 */
export const feedQuery = pageQuery.pick({ limit: true }).extend({
  cursor: queryText(1000),
  shown: queryText(limits.searchMax * 4),
  personal: queryBool,
  not: queryText(idsMax(steeringMax.not)),
  less: queryText(idsMax(steeringMax.less)),
});
export type FeedQuery = z.infer<typeof feedQuery>;

/**
 * Clip with this visitor's likes and saves. `why` is the English ranking reason. It is null for a
 * clip requested by address.
 */
const feedVideo = video.extend({
  isFavorite: z.boolean(),
  why: z.string().nullable(),
  reason: videoReason.optional(),
});
export type FeedVideo = z.infer<typeof feedVideo>;

const feedMark = z.object({ id: z.uuid(), isLiked: z.boolean(), isFavorite: z.boolean() });
export type FeedMark = z.infer<typeof feedMark>;

/**
 * `nextCursor` is null once this visitor has seen everything. The browser may then start a new
 * session. `shown` contains this visitor's likes and saves of the clips listed in the query,
 * because the page that shows those clips is the same for everyone.
 */
export const feedList = z.object({
  videos: z.array(feedVideo),
  nextCursor: z.string().nullable(),
  shown: z.array(feedMark),
});
export type FeedList = z.infer<typeof feedList>;
