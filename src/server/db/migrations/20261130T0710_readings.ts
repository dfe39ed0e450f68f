import { sql, type Kysely } from "kysely";

/**
 * Writes the searchable passages of captions again that may have readings above their words, such as
 * furigana, because search no longer includes readings.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into caption_stale
    select id from videos where captions::text ~ '"language": "(ja|ko|yue|zh)'
    on conflict do nothing`.execute(db);
}
