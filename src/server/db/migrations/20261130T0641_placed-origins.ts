import { sql, type Kysely } from "kysely";

/**
 * Remembers which imported videos were added to the series of their playlists, so that a stopped
 * import can add the others later.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table video_origins add column is_placed boolean not null default true;
    alter table video_origins alter column is_placed set default false;
    update video_origins set is_placed = false where not is_complete`.execute(db);
}
