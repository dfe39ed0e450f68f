import type { Ratio } from "./media-facts.ts";

const standardRates: readonly Ratio[] = [
  { num: 24000, den: 1001 },
  { num: 24, den: 1 },
  { num: 25, den: 1 },
  { num: 30000, den: 1001 },
  { num: 30, den: 1 },
  { num: 48, den: 1 },
  { num: 50, den: 1 },
  { num: 60000, den: 1001 },
  { num: 60, den: 1 },
];

const fastest = 60;
/**
 * Minimum rate. Below it, seeking and HLS segments become coarse. Repeating frames to reach it
 * costs almost nothing.
 */
const slowest = 5;

/** Measurements of the packets of a source. */
export interface MeasuredRate {
  /** Number of frames divided by time. */
  averageFps: number;
  /** One over the median distance between frames. */
  medianFps: number;
  isVariable: boolean;
}

export function toFps(rate: Ratio): number {
  return rate.num / rate.den;
}

/**
 * Returns the constant frame rate of all renditions. A constant source keeps its rate. A rate above
 * 60 is divided by a whole number, so that motion stays smooth. A variable source gets its average
 * rate, or its median rate up to 30 if pauses lower the average (screen recordings).
 */
export function planFrameRate(declared: Ratio, measured: MeasuredRate | null): Ratio {
  if (measured === null || !(measured.averageFps > 0)) return clampRate(declared);
  if (measured.isVariable) {
    const usual = Math.min(30, measured.medianFps);
    return clampRate(snapRate(Math.min(fastest, Math.max(measured.averageFps, usual))));
  }
  const average = snapRate(measured.averageFps);
  const isDeclaredPlausible = Math.abs(toFps(declared) / measured.averageFps - 1) < 0.02;
  // The declared rate of a fragmented file counts the time before its first frame.
  const isBetter = isStandard(average) && !isStandard(snapRate(toFps(declared)));
  return clampRate(isDeclaredPlausible && !isBetter ? declared : average);
}

const isStandard = (rate: Ratio): boolean => standardRates.includes(rate);

function snapRate(fps: number): Ratio {
  const distance = (rate: Ratio): number => Math.abs(toFps(rate) / fps - 1);
  const near = standardRates.toSorted((a, b) => distance(a) - distance(b))[0];
  if (near !== undefined && distance(near) < 0.004) return near;
  return { num: Math.max(1, Math.round(fps * 1000)), den: 1000 };
}

function clampRate(rate: Ratio): Ratio {
  const fps = toFps(rate);
  if (!Number.isFinite(fps) || fps < slowest) return { num: slowest, den: 1 };
  const divisor = Math.ceil(fps / (fastest + 0.5));
  return { num: rate.num, den: rate.den * divisor };
}
