import { sql, type Kysely } from "kysely";

/** The color of the operator's brand; null for the one of the product. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table settings add column accent_color text`.execute(db);
}
