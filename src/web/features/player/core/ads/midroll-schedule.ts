import { limits } from "#contract/limits.ts";

/**
 * Returns the default times in seconds: 25% of videos longer than 120 s, 50% of videos longer than
 * 60 s, and 75% of videos longer than 180 s.
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
  /** Returns the time of the break to play now, which is within 1 s of the position, or null. */
  due(positionS: number): number | null;
  /** Returns the time of a break to prepare, which is within the next `aheadS` seconds, or null. */
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
