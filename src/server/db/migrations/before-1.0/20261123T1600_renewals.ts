import { sql, type Kysely } from "kysely";

/** Renditions that are made again are a new file of the video with the same source. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table video_replacements add column is_renewal boolean not null default false`.execute(
    db,
  );
}
