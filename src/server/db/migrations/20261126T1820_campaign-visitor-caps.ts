import { sql, type Kysely } from "kysely";

/** The cap of a campaign's ads together per visitor and day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table campaigns add column visitor_daily_cap integer
      check (visitor_daily_cap is null or visitor_daily_cap > 0)`.execute(db);
}
