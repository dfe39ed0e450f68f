import { sql, type Kysely } from "kysely";

/** Cuts: the parts of its source that a video keeps, and what undoing the cut restores. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table videos
      add column kept_parts jsonb,
      add column cut_at timestamptz,
      add column before_cut jsonb`.execute(db);
  await sql`
    alter table video_replacements
      add column kept_parts jsonb,
      add column changes_cut boolean not null default false`.execute(db);
}
