import { z } from "zod";
import { limits } from "../limits.ts";
import { pageQuery, queryBool, queryText } from "./paging.ts";
import { video, videoReason } from "../videos/videos.ts";

/** Clips that a page showed before it asked for more: never more than the first few. */
export const feedHeadMax = 3;

/** Number of recent interests that a page sends. */
export const steeringMax = { not: 40, less: 20 } as const;
const idsMax = (count: number) => count * 37;

/**
 * GET /api/feed. Without a cursor a session begins; `shown` are the slugs or ids (comma-separated)
 * that the page has on screen already, in their order: they do not come again. `personal=false`
 * leaves the visitor's taste out; `not` are ids of videos and `less` ids of tags (comma-separated)
 * that they do not want.
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
 * A clip with this visitor's marks, including `isLiked`. `why` is the English ranking reason; null
 * for a clip named in the address.
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
 * `nextCursor` is null when this visitor has been shown everything; a new session may begin.
 * `shown` says of the clips named in the question what this visitor has done with them: the page
 * that shows them is the same for everybody.
 */
export const feedList = z.object({
  videos: z.array(feedVideo),
  nextCursor: z.string().nullable(),
  shown: z.array(feedMark),
});
export type FeedList = z.infer<typeof feedList>;
