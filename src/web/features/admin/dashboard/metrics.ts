import type { AdminStatistics } from "#contract/lists/admin-statistics.ts";
import { formatCount } from "#web/lib/format/format.ts";

export type MetricName = Exclude<keyof AdminStatistics["days"][number], "date">;

const whole = (value: number) => Math.round(value).toLocaleString();

/** Returns "1 h 30 min" for 5400 s and "1 min 30 s" for 90 s. */
export function formatWatchTime(seconds: number): string {
  const s = Math.round(seconds);
  if (s < 60) return `${s} s`;
  const minutes = Math.floor(s / 60);
  if (minutes < 60) return s % 60 === 0 ? `${minutes} min` : `${minutes} min ${s % 60} s`;
  const hours = Math.floor(minutes / 60);
  if (hours >= 100) return `${hours.toLocaleString()} h`;
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}

/** Formats a watch time for an axis label. */
function formatWatchTick(seconds: number): string {
  if (seconds >= 3600) return `${formatCount(seconds / 3600)} h`;
  return seconds >= 60 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds)} s`;
}

export interface Metric {
  name: MetricName;
  label: string;
  format: (value: number) => string;
  formatTick: (value: number) => string;
}

export const metrics: readonly Metric[] = [
  { name: "plays", label: "Plays", format: whole, formatTick: formatCount },
  { name: "watchTimeS", label: "Watch time", format: formatWatchTime, formatTick: formatWatchTick },
  { name: "likes", label: "Likes", format: whole, formatTick: formatCount },
  { name: "adImpressions", label: "Ad impressions", format: whole, formatTick: formatCount },
  { name: "adClicks", label: "Ad clicks", format: whole, formatTick: formatCount },
];

export function sumOf(statistics: AdminStatistics, name: MetricName): number {
  return statistics.days.reduce((sum, day) => sum + day[name], 0);
}

/** Returns the change from the previous days in percent. Null if those days were empty. */
export function changeOf(statistics: AdminStatistics, name: MetricName): number | null {
  const before = statistics.before[name];
  return before <= 0 ? null : ((sumOf(statistics, name) - before) / before) * 100;
}
