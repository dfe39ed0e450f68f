/** Formats a time as "1:02:03.450", or as "2:03.450" if it has no hours. */
export function timeText(timeMs: number): string {
  const [hours, minutes] = [Math.floor(timeMs / 3_600_000), Math.floor(timeMs / 60_000) % 60];
  const seconds = ((timeMs % 60_000) / 1000).toFixed(3).padStart(6, "0");
  return hours > 0
    ? `${hours}:${String(minutes).padStart(2, "0")}:${seconds}`
    : `${minutes}:${seconds}`;
}

/** Parses "1:02:03.45", "104:30", "2:03,5" or "3.5" to milliseconds. Returns null for anything else. */
export function readTime(text: string): number | null {
  const match = /^(?:(?:(\d{1,3}):(?=\d{1,2}:))?(\d{1,4}):)?(\d{1,5})(?:[.,](\d{1,3}))?$/.exec(
    text.trim(),
  );
  if (match === null) return null;
  const [, hours = "0", minutes = "0", seconds = "0", fraction = "0"] = match;
  return (
    (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000 +
    Number(fraction.padEnd(3, "0"))
  );
}

/** Formats seconds like `timeText`. */
export const secondsText = (timeS: number): string => timeText(Math.round(timeS * 1000));

/** Parses a time like `readTime`, to seconds. */
export function readSeconds(text: string): number | null {
  const timeMs = readTime(text);
  return timeMs === null ? null : timeMs / 1000;
}
