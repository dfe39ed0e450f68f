/** Formats of numbers, times and dates, the same on the server and in every browser. */

/** 999 -> "999", 1000 -> "1.0K", 1,250,000 -> "1.3M". */
export function formatCount(count: number): string {
  if (count < 1000) return String(Math.round(count));
  // 999,950 and more would round to "1000.0K".
  if (count < 999_950) return `${(count / 1000).toFixed(1)}K`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

/** 1234567 -> "1,234,567". */
export function formatWhole(count: number): string {
  return Math.round(count)
    .toString()
    .replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** "1 video", "1,234 videos". */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}

/** Seconds as minutes:seconds, 5 -> "0:05", 3725 -> "62:05". */
export function formatDuration(durationS: number): string {
  const whole = Number.isFinite(durationS) && durationS > 0 ? Math.floor(durationS) : 0;
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** Seconds in words for screen readers: "1 minute, 5 seconds". */
export function spokenDuration(durationS: number): string {
  const whole = Number.isFinite(durationS) && durationS > 0 ? Math.floor(durationS) : 0;
  const minutes = Math.floor(whole / 60);
  const seconds = whole % 60;
  const parts = [
    minutes > 0 ? `${minutes} ${minutes === 1 ? "minute" : "minutes"}` : "",
    seconds > 0 || minutes === 0 ? `${seconds} ${seconds === 1 ? "second" : "seconds"}` : "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * "Mar 4, 2026", always in UTC: a cached page cannot know the time zone of a visitor, and a date that
 * changes with hydration would be worse.
 */
export function formatDate(iso: string): string {
  const date = new Date(iso);
  const month = months[date.getUTCMonth()];
  if (month === undefined) return "";
  return `${month} ${date.getUTCDate()}, ${date.getUTCFullYear()}`;
}

/** "+12.5%", "-3.0%", "0.0%". */
export function formatGrowth(percent: number): string {
  const text = Math.abs(percent).toFixed(1);
  if (text === "0.0") return "0.0%";
  return `${percent > 0 ? "+" : "-"}${text}%`;
}

export function plural(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

const ageUnits: readonly [name: string, hours: number][] = [
  ["year", 24 * 365],
  ["month", 24 * 30],
  ["week", 24 * 7],
  ["day", 24],
  ["hour", 1],
];

/** "3 days ago", in the largest whole unit; within the first hour "new". */
export function formatAge(iso: string, nowMs: number): string {
  const hours = (nowMs - Date.parse(iso)) / 3_600_000;
  const [name, size] = ageUnits.find(([, unitHours]) => hours >= unitHours) ?? [];
  if (name === undefined || size === undefined) return "new";
  const count = Math.floor(hours / size);
  return `${count} ${name}${count === 1 ? "" : "s"} ago`;
}
