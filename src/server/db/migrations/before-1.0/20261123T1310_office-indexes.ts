import { sql, type Kysely } from "kysely";

/**
 * The list of the back office also filters by visibility inside its index, and the sums of each
 * uploader are read there. The audit log finds the entries about one object by its id, however many
 * others there are.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index videos_created_idx`.execute(db);
  await sql`
    create index videos_created_idx on videos (created_at desc, id desc)
      include (title, is_published, is_premium, visibility, views, likes, duration_s, stored_bytes,
        source_bytes, uploaded_by)`.execute(db);
  await sql`
    create index audit_log_object_idx on audit_log (entity_id, at desc, id desc)
      where entity_id is not null`.execute(db);
}
