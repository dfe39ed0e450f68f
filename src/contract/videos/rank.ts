import { z } from "zod";
import { sortValues, timeRangeValues } from "../limits.ts";

const oneOf = <const T extends string>(values: readonly T[]) =>
  z.enum(values, { error: `must be one of ${values.join(", ")}` });

export const rankQuery = z.object({
  sort: oneOf(sortValues).optional(),
  timeRange: oneOf(timeRangeValues).optional(),
});
export type RankQuery = z.infer<typeof rankQuery>;

/** Maximum position that is counted. */
export const positionMax = 10_000;

/** GET /api/videos/{id}/why: the rank of a video in the whole list of a sort, and the reason. */
export const rankReason = z.object({
  sort: z.enum(sortValues),
  timeRange: z.enum(timeRangeValues).nullable(),
  /** Counted from 1; `null` beyond the first 10,000. */
  position: z.number().int().positive().nullable(),
  /** Number of videos in the list. */
  total: z.number().int(),
  /** Counts within the time range of the list, or of all time if the list has no range. */
  counts: z.object({
    views: z.number().int(),
    completed: z.number().int(),
    likes: z.number().int(),
    /** Number of visitors of all time who watched for 10 seconds or half of the video. */
    engagedViewers: z.number().int(),
  }),
  publishedAt: z.iso.datetime(),
  /** The reason as an English sentence. */
  reason: z.string(),
});
export type RankReason = z.infer<typeof rankReason>;
