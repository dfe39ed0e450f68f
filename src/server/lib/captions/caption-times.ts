const timePattern = /^\s*(?:(\d{1,4}):)?(\d{1,3}):(\d{1,2})(?:[.,:](\d{1,3}))?\d*\s*$/;
/** 100 hours. */
const maxTimeMs = 360_000_000;

/** Parses "1:02:03,450", "02:03.45" or "0:01:02.5"; null for anything else. */
export function parseTime(text: string): number | null {
  const match = timePattern.exec(text);
  if (match === null) return null;
  const [, hours = "0", minutes = "0", seconds = "0", fraction = "0"] = match;
  const ms =
    (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000 +
    Number(fraction.padEnd(3, "0"));
  return ms <= maxTimeMs ? ms : null;
}

/** Formats a time as "00:02:03.450" for WebVTT. */
export function formatTime(timeMs: number): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  const [totalS, ms] = [Math.floor(timeMs / 1000), Math.round(timeMs) % 1000];
  const time = `${two(Math.floor(totalS / 3600))}:${two(Math.floor(totalS / 60) % 60)}:${two(totalS % 60)}`;
  return `${time}.${String(ms).padStart(3, "0")}`;
}
