import { sql, type Kysely } from "kysely";

/** How long an ad break with several ads may be, and mid-rolls at regular times. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table settings
      add column pod_max_s int not null default 30 check (pod_max_s between 0 and 600),
      add column midroll_every_min int not null default 0
        check (midroll_every_min between 0 and 1440)
  `.execute(db);
}
