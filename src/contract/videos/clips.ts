import { z } from "zod";

/** Long video of a clip, and the passage. */
export const clipOrigin = z.object({
  id: z.uuid(),
  slug: z.string(),
  title: z.string(),
  startS: z.number(),
  endS: z.number(),
  /** True while the long video is in the trash, so that its clips are hidden. For admins only. */
  isTrashed: z.boolean().optional(),
});

/** What becomes of a video's clips when it is deleted for good. Without a choice, they become drafts. */
const clipFates = ["keep", "remove"] as const;
export type ClipFate = (typeof clipFates)[number];
export const clipFate = z.enum(clipFates, `must be one of ${clipFates.join(", ")}`);
export const clipFateQuery = z.object({ clips: clipFate.optional() });
