import { z } from "zod";

export const statisticsDays = [7, 30, 90] as const;
export type StatisticsDays = (typeof statisticsDays)[number];

/** GET /api/admin/statistics: what happened per day (UTC), the oldest first, today included. */
export const adminStatistics = z.object({
  days: z.array(
    z.object({
      /** "2026-03-04". */
      date: z.iso.date(),
      plays: z.number(),
      watchTimeS: z.number(),
      likes: z.number(),
      adImpressions: z.number(),
      adClicks: z.number(),
    }),
  ),
  /** Sums over the same number of days before, to compare with. */
  before: z.object({
    plays: z.number(),
    watchTimeS: z.number(),
    likes: z.number(),
    adImpressions: z.number(),
    adClicks: z.number(),
  }),
  topVideos: z.array(
    z.object({
      id: z.uuid(),
      slug: z.string(),
      title: z.string(),
      thumbnail: z.string().nullable(),
      plays: z.number(),
    }),
  ),
});
export type AdminStatistics = z.infer<typeof adminStatistics>;

/** GET /api/admin/system: the processing queue and the storage, as they are now. */
export const adminSystem = z.object({
  queue: z.object({
    /** Not playable yet. */
    processing: z.number().int(),
    /** Playable, further renditions under way or waiting. */
    finishing: z.number().int(),
    failed: z.number().int(),
    /** The next ones, in their order. */
    videos: z.array(
      z.object({
        id: z.uuid(),
        title: z.string(),
        status: z.enum(["processing", "ready"]),
        progress: z.number().nullable(),
      }),
    ),
  }),
  storage: z.object({
    originalBytes: z.number(),
    renditionBytes: z.number(),
    /** Null where nobody can tell (an object store). */
    freeBytes: z.number().nullable(),
  }),
});
export type AdminSystem = z.infer<typeof adminSystem>;
