import { sql, type Kysely } from "kysely";

/**
 * Whether originals are kept once all renditions are made. `dropped_bytes` is the size of one that is
 * deleted; `source_bytes` is null then, as sums of what is stored read it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table settings add column keep_originals boolean not null default true`.execute(
    db,
  );
  for (const table of ["videos", "video_replacements"]) {
    await sql`alter table ${sql.table(table)} add column dropped_bytes bigint`.execute(db);
  }
  // An upload is compared with originals of its size, also with those that are gone.
  await sql`
    create index videos_dropped_bytes_idx on videos (dropped_bytes)
      where dropped_bytes is not null`.execute(db);
}
