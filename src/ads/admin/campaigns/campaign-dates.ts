import type { Campaign } from "../../contract/campaigns.ts";

/** Formats the dates of a campaign. Returns an empty text if it has none. */
export function datesOf({ startDate, endDate }: Campaign, timeZone: string | undefined): string {
  const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone });
  const [from, to] = [startDate, endDate].map((date) =>
    date === null ? "" : moment.format(new Date(date)),
  );
  return startDate === null && endDate === null ? "" : `${from} – ${to}`;
}
