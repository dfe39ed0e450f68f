import { sql, type Kysely } from "kysely";

/** A new site plays every ad break. Sites of older versions keep their rules. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table settings
    alter column preroll_min_video_s set default 0,
    alter column break_gap_s set default 0`.execute(db);
  await sql`update settings set preroll_min_video_s = 0, break_gap_s = 0
    where not exists (select from users)`.execute(db);
}
