import { z } from "zod";
import { sortValues, timeRangeValues } from "./limits.ts";

const oneOf = <const T extends string>(values: readonly T[]) =>
  z.enum(values, { error: `must be one of ${values.join(", ")}` });

export const standingQuery = z.object({
  sort: oneOf(sortValues).optional(),
  timeRange: oneOf(timeRangeValues).optional(),
});
export type StandingQuery = z.infer<typeof standingQuery>;

/** Positions behind this are not counted out. */
export const positionMax = 10_000;

/** GET /api/videos/{id}/why: where a video stands in the whole list of a sort, and what put it there. */
export const standing = z.object({
  sort: z.enum(sortValues),
  timeRange: z.enum(timeRangeValues).nullable(),
  /** 1 is the first; `null` behind the first 10,000. */
  position: z.number().int().positive().nullable(),
  /** How many stand in the list. */
  total: z.number().int(),
  /** What was counted: inside the range where the list has one, of all time otherwise. */
  counts: z.object({
    views: z.number().int(),
    completed: z.number().int(),
    likes: z.number().int(),
    /** Visitors who watched for 10 seconds or half of it; of all time. */
    engagedViewers: z.number().int(),
  }),
  publishedAt: z.iso.datetime(),
  /** The same in one sentence, in English. */
  reason: z.string(),
});
export type Standing = z.infer<typeof standing>;
