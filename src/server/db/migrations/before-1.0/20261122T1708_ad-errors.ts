import { sql, type Kysely } from "kysely";

/**
 * Why ads could not be shown, by day. The counts of each day add up to `ad_stats_daily.errors` from
 * now on.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ad_errors_daily (
      ad_id uuid not null references ads (id) on delete cascade,
      day date not null,
      cause text not null,
      errors bigint not null,
      primary key (ad_id, day, cause)
    )`.execute(db);
}
