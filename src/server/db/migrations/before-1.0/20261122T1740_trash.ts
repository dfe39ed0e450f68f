import { sql, type Kysely } from "kysely";

/**
 * A removed video leaves the table `videos`, so that no query can show it. Its rows are kept here as
 * JSON, and its files in the storage, for as long as the settings say.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table removed_videos (
      id uuid primary key,
      title text not null,
      media_token text not null unique,
      source_key text unique,
      size_bytes bigint not null,
      kept_rows jsonb not null,
      removed_by text not null,
      removed_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index removed_videos_at_idx on removed_videos (removed_at desc, id)`.execute(db);
  await sql`
    alter table settings add column trash_days int not null default 30
      check (trash_days between 0 and 365)`.execute(db);
}
