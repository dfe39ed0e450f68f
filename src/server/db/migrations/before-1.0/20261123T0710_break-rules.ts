import { sql, type Kysely } from "kysely";

/** When ads may interrupt a video, and which of them may do so at any time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table settings
      add column preroll_min_video_s int not null default 30
        check (preroll_min_video_s between 0 and 86400),
      add column break_gap_s int not null default 180 check (break_gap_s between 0 and 86400)
  `.execute(db);
  await sql`alter table ads add column ignores_break_rules boolean not null default false`.execute(
    db,
  );
}
