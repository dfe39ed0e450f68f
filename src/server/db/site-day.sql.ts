import { sql, type RawBuilder } from "kysely";

/** Time zone of the site's days and hours. */
export const siteZone = sql`(select time_zone from settings where id = 1)`;

/** Returns the day of an instant in that zone. */
export const siteDay = (at: Date): RawBuilder<string> =>
  sql<string>`(${at}::timestamptz at time zone ${siteZone})::date`;
