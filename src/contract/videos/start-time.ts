/** Returns the seconds of a shared time: `90`, `90s`, `1m20s`, `1h2m3s`. Null for anything else. */
export function parseStartTime(text: string | null): number | null {
  const [, hours, minutes, seconds] =
    /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d*)?)s?)?$/i.exec(text ?? "") ?? [];
  const startS = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
  return startS > 0 && startS < 1e7 ? startS : null;
}
