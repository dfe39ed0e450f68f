import { sql, type Kysely } from "kysely";

/** Campaigns no longer choose ads by their click rate. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update campaigns set rotation = 'weight' where rotation = 'clicks'`.execute(db);
}
