import type { TimeRange } from "#contract/limits.ts";

export type ShortRange = Exclude<TimeRange, "all">;

/** Length of each range in hours. All ranges end with the current hour of the ranking window. */
export const rangeHours: Record<ShortRange, number> = { today: 24, week: 168, month: 720 };
