import { sql, type Kysely } from "kysely";

/** Lets every crawler and site in, as before. Only a new site asks AI crawlers not to come. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of [
    ...["crawl_search", "crawl_ai", "crawl_others"],
    ...["media_on_other_sites", "media_without_origin"],
  ]) {
    await sql`alter table settings add column ${sql.ref(name)} boolean not null default true`.execute(
      db,
    );
  }
  await sql`update settings set crawl_ai = false where not exists (select from users)`.execute(db);
}
