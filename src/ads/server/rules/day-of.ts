/** Returns the day in UTC, `2026-05-04`. */
export const dayOf = (date: Date): string => date.toISOString().slice(0, 10);
