type Instant = string | Date;

/** Formats a day of the back office, in the reader's time zone unless another one is given. */
export const dayWords = (at: Instant, timeZone?: string): string =>
  new Date(at).toLocaleDateString(undefined, { dateStyle: "medium", timeZone });

/** Formats a day with the time. */
export const momentWords = (at: Instant, timeZone?: string): string =>
  new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short", timeZone });

/** Formats the local date of "Created" columns. */
export const createdDate = (iso: string): string => new Date(iso).toLocaleDateString();

const minuteMs = 60_000;

/** Formats a time for `datetime-local`, in the local time zone. */
export function localDateTime(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * minuteMs);
  return local.toISOString().slice(0, 16);
}

/**
 * Returns a note for a `datetime-local` value that the clocks skip when they go forward, or null.
 * @param used the value that is used instead.
 */
export const skippedTimeNote = (typed: string, used: string): string | null =>
  typed === used
    ? null
    : `The clocks go forward then, so ${typed.slice(11)} doesn't exist. ${used.slice(11)} will be used.`;

/** Returns a note for a `datetime-local` value in the local time zone that doesn't exist, or null. */
export function localTimeNote(typed: string): string | null {
  const at = new Date(typed);
  return Number.isNaN(at.getTime()) ? null : skippedTimeNote(typed, localDateTime(at));
}

const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();

/** Returns the hint of a `datetime-local` field for the time when a video is published. */
export function publishTimeNote(typed: string): string {
  if (Date.parse(typed) <= Date.now()) {
    return "This time has passed. The video will be published immediately.";
  }
  return localTimeNote(typed) ?? `In your time zone (${timeZone}).`;
}

/** Describes a past time: "just now", "5 minutes ago", "yesterday", then the day. */
export function sinceWords(iso: string): string {
  const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
  const minutes = Math.round((Date.now() - Date.parse(iso)) / minuteMs);
  if (minutes < 1) return "just now";
  if (minutes < 60) return relative.format(-minutes, "minute");
  const hours = Math.round(minutes / 60);
  if (hours < 24) return relative.format(-hours, "hour");
  const days = Math.round(hours / 24);
  return days < 7 ? relative.format(-days, "day") : dayWords(iso);
}

export const isPast = (iso: string): boolean => Date.parse(iso) < Date.now();

const dayMs = 24 * 3600 * 1000;

/** Returns the days from now, rounded up. 0 or less for the past. */
export const daysUntil = (iso: string): number => Math.ceil((Date.parse(iso) - Date.now()) / dayMs);
