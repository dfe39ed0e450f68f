import { sql, type Kysely } from "kysely";

/** Uploads in progress, the storage of media files, and the bytes sent to visitors. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Resumable uploads to a bucket.
  await sql`
    create table staged_uploads (
      id uuid primary key,
      account text,
      size_bytes bigint not null,
      metadata jsonb not null,
      s3_upload_id text not null,
      last_part int not null default 0,
      parts_bytes bigint not null default 0,
      tail_key text,
      tail_bytes int not null default 0,
      is_complete boolean not null default false,
      created_at timestamptz not null default now(),
      touched_at timestamptz not null default now()
    );

    create table staged_upload_parts (
      upload_id uuid not null references staged_uploads (id) on delete cascade,
      number int not null,
      etag text not null,
      size_bytes bigint not null,
      primary key (upload_id, number)
    );

    create unlogged table upload_locks (
      upload_id uuid primary key,
      holder text not null,
      expires_at timestamptz not null,
      is_wanted boolean not null default false
    )`.execute(db);
  // Files that a move to another storage has copied, and videos whose files are public in a bucket.
  await sql`
    create table media_storage (
      id int primary key default 1 check (id = 1),
      kind text check (kind in ('disk', 's3')),
      storage_id uuid not null default gen_random_uuid(),
      other_kind text check (other_kind in ('disk', 's3')),
      other_storage_id uuid,
      check ((other_kind is null) = (other_storage_id is null))
    );

    create table moved_media (
      key text primary key
    );

    create table published_media (
      media_token text primary key
    );

    create unlogged table media_bytes (
      address_group text not null,
      slot int not null,
      bytes bigint not null,
      primary key (address_group, slot)
    )`.execute(db);
  await sql`insert into media_storage default values`.execute(db);
}
