import { z } from "zod";
import { translations } from "../videos/translations.ts";

/**
 * GET /api/trending/stats. Growth is in percent. It is null for `all`, which has no preceding
 * window.
 */
export const trendingStats = z.object({
  stats: z.object({
    totalVideos: z.number().int(),
    totalViews: z.number().int(),
    totalLikes: z.number().int(),
    viewsGrowth: z.number().nullable(),
    likesGrowth: z.number().nullable(),
  }),
  topVideo: z
    .object({
      title: z.string(),
      translations: translations.optional(),
      views: z.number().int(),
      slug: z.string(),
    })
    .nullable(),
});
export type TrendingStats = z.infer<typeof trendingStats>;

export const adminStats = z.object({
  totalVideos: z.number().int(),
  totalCategories: z.number().int(),
  totalTags: z.number().int(),
  totalActors: z.number().int(),
  totalViews: z.number().int(),
  totalLikes: z.number().int(),
  recentVideos: z.array(
    z.object({ id: z.uuid(), title: z.string(), createdAt: z.iso.datetime(), views: z.number() }),
  ),
});
export type AdminStats = z.infer<typeof adminStats>;
