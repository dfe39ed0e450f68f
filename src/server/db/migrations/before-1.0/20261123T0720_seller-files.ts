import { sql, type Kysely } from "kysely";

/** Who may sell the site's advertising space: `/ads.txt`, `/app-ads.txt` and `/sellers.json`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table settings
      add column ads_txt text,
      add column app_ads_txt text,
      add column sellers_json text
  `.execute(db);
}
