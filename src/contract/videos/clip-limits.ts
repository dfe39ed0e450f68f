export const clipLimits = {
  minS: 3,
  maxS: 90,
  /** Clips that one request may create. */
  maxAtOnce: 50,
  /** Smallest window of a crop, as a share of the largest that fits. */
  minZoom: 0.3,
} as const;

/** Returns why a passage is too short or too long for a clip, or null. */
export function clipLengthProblem(passage: { startS: number; endS: number }): string | null {
  const lengthS = Math.round((passage.endS - passage.startS) * 1000) / 1000;
  return lengthS < clipLimits.minS || lengthS > clipLimits.maxS
    ? `A clip must be ${clipLimits.minS} to ${clipLimits.maxS} seconds long`
    : null;
}
