import type { TimeRange } from "#contract/limits.ts";

export type ShortRange = Exclude<TimeRange, "all">;

/** Length of each range in hours, ending with the ranking window's hour. */
export const rangeHours: Record<ShortRange, number> = { today: 24, week: 168, month: 720 };
