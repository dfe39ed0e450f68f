import type { Campaign } from "../../contract/campaigns.ts";
import { dayWords } from "#web/features/admin/shared/moments.ts";

/** Formats the dates of a campaign. Returns an empty text if it has none. */
export function datesOf({ startDate, endDate }: Campaign, timeZone: string | undefined): string {
  const [from, to] = [startDate, endDate].map((date) =>
    date === null ? "" : dayWords(date, timeZone),
  );
  return startDate === null && endDate === null ? "" : `${from} – ${to}`;
}
