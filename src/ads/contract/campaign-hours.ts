/** Hours of the week as users write them: `mon-fri 08-18`, `sat 10-24`, `sun`. */
const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
const pattern = /^([a-z]{3})(?:-([a-z]{3}))?(?:\s+(\d{1,2})-(\d{1,2}))?$/;

const hoursOfWeek = 168;

/**
 * Parses one line into hours of the week, where 0 is Monday from 00:00 to 01:00. Returns null if
 * the line is invalid.
 */
function hoursOfLine(line: string): number[] | null {
  const match = pattern.exec(line.trim().toLowerCase());
  if (match === null) return null;
  const [, firstDay, lastDay = firstDay, from = "0", to = "24"] = match;
  const first = days.findIndex((day) => day === firstDay);
  const last = days.findIndex((day) => day === lastDay);
  const [start, end] = [Number(from), Number(to)];
  if (first < 0 || last < first || start >= end || end > 24) return null;
  const hours: number[] = [];
  for (let day = first; day <= last; day += 1) {
    for (let hour = start; hour < end; hour += 1) hours.push(day * 24 + hour);
  }
  return hours;
}

export const isHoursLine = (line: string): boolean => hoursOfLine(line) !== null;

/** Parses lines into hours of the week. An empty list means every hour. */
export function readHours(lines: readonly string[]): number[] {
  if (lines.length === 0) return Array.from({ length: hoursOfWeek }, (_, at) => at);
  return [...new Set(lines.flatMap((line) => hoursOfLine(line) ?? []))];
}
