/** Matches the names that phones, cameras and screen recorders give to files. */
const datedName =
  /^(?:(?:img|vid|mov|pxl|mvimg|dji|video|screen ?recording)[ _-]*)?(\d{4})[-_.]?(\d{2})[-_.]?(\d{2})(?:(?:[ _t-]| at )+(\d{2})[-_.:]?(\d{2})(?:[-_.:]?\d{2,9})?)?(?:[ _-]*(?:wa\d+|ts|\(\d+\)))?$/i;

/** Returns "1 November 2026, 9:12" for a name with this date and time. Null for other names. */
function dateTitle(name: string): string | null {
  const [year = 0, month = 0, day = 0, hour = NaN, minute = NaN] = (datedName.exec(name) ?? [])
    .slice(1)
    .map((part) => Number(part ?? NaN));
  const date = new Date(Date.UTC(year, month - 1, day));
  const isDate = year > 1990 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!isDate || hour > 23 || minute > 59) return null;
  const words = date.toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });
  return Number.isNaN(hour) ? words : `${words}, ${hour}:${String(minute).padStart(2, "0")}`;
}

/** Proposes a title: "my_first-clip.mp4" -> "my first clip". */
export function titleFromName(fileName: string): string {
  const name = fileName.replace(/\.[a-z0-9]{2,5}$/i, "");
  const title = dateTitle(name) ?? name.replace(/[_.-]+/g, " ");
  return title.replace(/\s+/g, " ").trim().slice(0, 200).toWellFormed();
}
