/**
 * Times of mid-rolls in seconds, ascending, inside the duration. If none are configured: a quarter
 * into a video of more than two minutes, the middle of one of more than one minute, and three
 * quarters into one of more than three minutes.
 */
export function midrollTimes(durationS: number, configured: number[] | null): number[] {
  const times = configured ?? [
    ...(durationS > 120 ? [durationS * 0.25] : []),
    ...(durationS > 60 ? [durationS * 0.5] : []),
    ...(durationS > 180 ? [durationS * 0.75] : []),
  ];
  return [...new Set(times.map((time) => Math.round(time * 1000) / 1000))]
    .filter((time) => time > 0 && time < durationS)
    .toSorted((a, b) => a - b);
}
