import { sql, type Kysely } from "kysely";

/** Adds former addresses of the operator's own pages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table slug_redirects drop constraint slug_redirects_kind_check,
      add constraint slug_redirects_kind_check
        check (kind in ('videos', 'categories', 'tags', 'actors', 'pages'))`.execute(db);
}
