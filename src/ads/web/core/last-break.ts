const key = "spots-break";

/** An ad break was shown: the next one waits, in every tab. */
export function noteBreak(): void {
  try {
    localStorage.setItem(key, String(Date.now()));
  } catch {
    // Without storage the next break does not wait.
  }
}

/** Seconds since the last ad break of this browser, or null. */
export function secondsSinceBreak(): number | null {
  try {
    const stored = localStorage.getItem(key);
    // A clock that was set back must not end all ad breaks.
    const agoMs = stored === null ? -1 : Date.now() - Number(stored);
    return agoMs >= 0 ? agoMs / 1000 : null;
  } catch {
    return null;
  }
}
