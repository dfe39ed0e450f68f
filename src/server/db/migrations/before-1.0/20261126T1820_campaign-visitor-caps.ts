import { sql, type Kysely } from "kysely";

/** Cap for all ads of a campaign together, per visitor and day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table campaigns add column visitor_daily_cap integer
      check (visitor_daily_cap is null or visitor_daily_cap > 0)`.execute(db);
}
