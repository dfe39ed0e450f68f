const firstS = 5;
/** Longest pause between two attempts after an external failure. */
const longestS = 600;

/**
 * Returns the pause before the next attempt, in seconds. Each pause is twice as long as the last.
 */
export const backOffS = (waits: number): number =>
  Math.min(longestS, firstS * 2 ** Math.min(waits, 10));
