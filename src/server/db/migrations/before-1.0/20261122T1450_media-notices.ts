import { sql, type Kysely } from "kysely";

/**
 * What of a source is dropped or changed in what plays. Visitors do not see it, so no stamp changes.
 * A reason is also kept while processing waits for something, and where only renditions failed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table videos add column media_notices text[] not null default '{}'`.execute(db);
  await sql`
    alter table videos drop constraint failed_has_reason,
      add constraint failed_has_reason check (status <> 'failed' or failure_reason is not null)`.execute(
    db,
  );
}
