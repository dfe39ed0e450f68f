import { limits } from "#contract/limits.ts";

/**
 * Returns the times without a configuration, in seconds: 25% of a video longer than 120 s, 50% of
 * one longer than 60 s, 75% of one longer than 180 s.
 */
export function fallbackMidrollTimes(durationS: number): number[] {
  const times: number[] = [];
  if (durationS > 120) times.push(durationS * 0.25);
  if (durationS > 60) times.push(durationS * 0.5);
  if (durationS > 180) times.push(durationS * 0.75);
  return times;
}

/** Schedule of mid-rolls. Each is played once. */
export interface MidrollSchedule {
  /** Returns the time whose break plays now (the position is within 1 s of it), or null. */
  due(positionS: number): number | null;
  /** Returns the time within the next `aheadS` seconds, so that its ad can be prepared, or null. */
  coming(positionS: number, aheadS: number): number | null;
  markDone(timeS: number): void;
}

export function createMidrollSchedule(timesS: readonly number[]): MidrollSchedule {
  const open = new Set(timesS.filter((time) => Number.isFinite(time) && time > 0));
  return {
    due(positionS) {
      for (const time of open) {
        if (Math.abs(positionS - time) <= limits.midrollWindowS) return time;
      }
      return null;
    },
    coming(positionS, aheadS) {
      for (const time of open) {
        if (time > positionS && time - positionS <= aheadS) return time;
      }
      return null;
    },
    markDone: (timeS) => void open.delete(timeS),
  };
}
