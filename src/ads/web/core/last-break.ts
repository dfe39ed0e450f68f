import { readStored, writeStored } from "#web/lib/device-storage.ts";

const key = "spots-break";

/** Records an ad break, which delays the next one in every tab. */
export function noteBreak(): void {
  writeStored(key, String(Date.now()));
}

/** Returns the seconds since this browser's last ad break, or null. */
export function secondsSinceBreak(): number | null {
  const stored = readStored(key);
  // A clock that was set back must not prevent all ad breaks.
  const agoMs = stored === null ? -1 : Date.now() - Number(stored);
  return agoMs >= 0 ? agoMs / 1000 : null;
}
