import { sql, type Kysely } from "kysely";

/**
 * Searches no longer compare titles by trigrams: in the bench it found no video that other readings
 * had not. Processes of 0.2 scan all titles for it during an upgrade.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index video_search_trgm_idx`.execute(db);
}
