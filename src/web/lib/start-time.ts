/**
 * Returns the seconds of a shared time: `90`, `90s`, `1m20s`, `1h2m3s` or `1:20`. Null for anything
 * else, and for the start.
 */
export function parseStartTime(text: string | null): number | null {
  const match =
    /^(?:(\d{1,4})h)?(?:(\d{1,5})m)?(?:(\d{1,7}(?:\.\d{1,3})?)s?)?$/i.exec(text ?? "") ??
    /^(?:(\d{1,4}):)?(\d{1,5}):(\d{1,2}(?:\.\d{1,3})?)$/.exec(text ?? "");
  if (match === null) return null;
  const [, hours = "0", minutes = "0", seconds = "0"] = match;
  const startS = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return startS > 0 ? startS : null;
}
