import { sql, type Kysely } from "kysely";

/**
 * Searches no longer compare titles by trigrams, which found no additional video in the bench.
 * Processes of 0.2 scan all titles for them during an upgrade.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index video_search_trgm_idx`.execute(db);
}
