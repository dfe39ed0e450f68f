import type { Rung } from "./rungs.ts";

/** The renditions of a ladder that one worker makes in one pass. */
export interface LadderPart {
  /** Short sides of its rungs, highest first. */
  sides: number[];
  hasSound: boolean;
  /** Its share of the encoding, 0 to 1. */
  share: number;
}

/**
 * Divides a ladder among at most `maxParts` workers so that the largest part is as small as possible,
 * and then into as few parts as that takes: each part decodes the source again.
 */
export function planParts(rungs: readonly Rung[], maxParts: number): LadderPart[] {
  const plans = Array.from({ length: Math.max(1, Math.min(maxParts, rungs.length)) }, (_, at) =>
    divide(rungs, at + 1),
  );
  const largest = (parts: LadderPart[]) => Math.max(...parts.map(({ share }) => share));
  const best = Math.min(...plans.map(largest));
  return plans.find((parts) => largest(parts) === best) ?? [];
}

/** Each rung, from the largest, goes to the part with the least work. The last one gets the sound. */
function divide(rungs: readonly Rung[], count: number): LadderPart[] {
  const whole = rungs.reduce((sum, rung) => sum + rung.width * rung.height, 0);
  const parts = Array.from({ length: count }, () => ({ sides: [] as number[], pixels: 0 }));
  for (const { shortSide, width, height } of rungs) {
    const least = parts.reduce((a, b) => (b.pixels < a.pixels ? b : a));
    least.sides.push(shortSide);
    least.pixels += width * height;
  }
  return parts.map(({ sides, pixels }, at) => ({
    sides,
    hasSound: at === count - 1,
    share: pixels / whole,
  }));
}
