import { z } from "zod";
import { feedVideo } from "../../../../contract/feed.ts";

/** What the storage of the tab holds of a feed. */
export const feedSurroundings = z.object({
  clip: feedVideo,
  before: z.array(feedVideo),
  after: z.array(feedVideo),
  cursor: z.string().nullable(),
});
