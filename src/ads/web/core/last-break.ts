const key = "spots-break";

/** Records an ad break, which delays the next one in every tab. */
export function noteBreak(): void {
  try {
    localStorage.setItem(key, String(Date.now()));
  } catch {
    // Without storage, the next break isn't delayed.
  }
}

/** Returns the seconds since this browser's last ad break, or null. */
export function secondsSinceBreak(): number | null {
  try {
    const stored = localStorage.getItem(key);
    // A clock that was set back must not prevent all ad breaks.
    const agoMs = stored === null ? -1 : Date.now() - Number(stored);
    return agoMs >= 0 ? agoMs / 1000 : null;
  } catch {
    return null;
  }
}
