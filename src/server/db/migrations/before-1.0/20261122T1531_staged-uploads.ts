import { sql, type Kysely } from "kysely";

/**
 * Resumable uploads whose bytes are in object storage: which parts are stored. Numbers of parts are given
 * once, so that a request that was given up never replaces the part of the next one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table staged_uploads (
      id uuid primary key,
      account text,
      size_bytes bigint not null,
      metadata jsonb not null,
      s3_upload_id text not null,
      last_part integer not null default 0,
      parts_bytes bigint not null default 0,
      tail_key text,
      tail_bytes integer not null default 0,
      is_complete boolean not null default false,
      created_at timestamptz not null default now(),
      touched_at timestamptz not null default now()
    )`.execute(db);
  await sql`
    create table staged_upload_parts (
      upload_id uuid not null references staged_uploads on delete cascade,
      number integer not null,
      etag text not null,
      size_bytes bigint not null,
      primary key (upload_id, number)
    )`.execute(db);
}
