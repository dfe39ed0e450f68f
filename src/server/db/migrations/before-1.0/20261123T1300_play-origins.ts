import { sql, type Kysely } from "kysely";

/**
 * What led to a play: a word of `playOrigins`. Null for plays of before, and of clients that do not
 * say it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table watches add column origin text`.execute(db);
}
