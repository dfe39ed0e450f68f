/** Rules in the settings for videos without their own mid-roll times. */
export interface MidrollRules {
  /** Times in seconds; null for the default fractions of the duration. */
  times: number[] | null;
  /** Interval in minutes; 0 uses `times`. */
  everyMin: number;
  /** Minimum time between two ad breaks, in seconds. */
  gapS: number;
}

/** Minimum time between a mid-roll and the end. */
const minLeftS = 30;

/**
 * Returns the times of mid-rolls in seconds, in ascending order and before the end of the video.
 * Uses the video's own times, otherwise the rules. Without either, there is one a quarter into a
 * video of more than two minutes, one in the middle if it has more than one minute, and one at
 * three quarters if it has more than three minutes.
 */
export function midrollTimes(
  durationS: number,
  own: number[] | null,
  { times: configured, everyMin, gapS }: MidrollRules = { times: null, everyMin: 0, gapS: 0 },
): number[] {
  const times =
    own ??
    (everyMin > 0 ? regularTimes(durationS, Math.max(everyMin * 60, gapS)) : configured) ??
    usualTimes(durationS);
  return [...new Set(times.map((time) => Math.round(time * 1000) / 1000))]
    .filter((time) => time > 0 && time < durationS)
    .toSorted((a, b) => a - b);
}

const regularTimes = (durationS: number, everyS: number): number[] =>
  Array.from(
    { length: Math.max(0, Math.floor((durationS - minLeftS) / everyS)) },
    (_, at) => (at + 1) * everyS,
  );

const usualTimes = (durationS: number): number[] => [
  ...(durationS > 120 ? [durationS * 0.25] : []),
  ...(durationS > 60 ? [durationS * 0.5] : []),
  ...(durationS > 180 ? [durationS * 0.75] : []),
];
