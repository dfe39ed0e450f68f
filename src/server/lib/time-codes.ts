const two = (value: number): string => String(value).padStart(2, "0");

/** Returns the seconds of a matched time code, whose hours may be missing. */
export const secondsOf = (hours = "0", minutes = "0", seconds = "0"): number =>
  Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);

/** Formats a time for people, without fractions: "1:02:03" or "2:03". */
export function clockTime(timeS: number): string {
  // A sum of fractions may lie just below the second it means.
  const whole = Math.floor(timeS + 0.001);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(whole % 60)}`;
}

/** Formats a time for WebVTT: "00:02:03.450". */
export function vttTime(timeMs: number): string {
  const ms = Math.round(timeMs);
  const whole = Math.floor(ms / 1000);
  const time = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return `${time.map(two).join(":")}.${String(ms % 1000).padStart(3, "0")}`;
}
