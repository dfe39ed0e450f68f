import { sql, type Kysely } from "kysely";

/** The language of pages without a language in their address. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table settings add column language text not null default 'en'`.execute(db);
}
