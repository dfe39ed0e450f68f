import { sql, type Kysely } from "kysely";

/**
 * Videos that came from another site: their ID there, the addresses that they had, and the views
 * that visitors see but rankings leave out.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Without a reference to the video: a removed video isn't imported again.
  await sql`
    create table video_origins (
      source text not null,
      source_id text not null,
      video_id uuid not null unique,
      is_complete boolean not null default false,
      created_at timestamptz not null default now(),
      primary key (source, source_id)
    )`.execute(db);
  // Without a reference to the video, so that the addresses lead to it again after it was restored.
  await sql`
    create table old_addresses (
      address text primary key,
      video_id uuid not null
    )`.execute(db);
  await sql`create index old_addresses_video_idx on old_addresses (video_id)`.execute(db);
  await sql`
    alter table imports add column options jsonb, add column note text`.execute(db);
  await sql`
    alter table videos add column imported_views bigint not null default 0`.execute(db);
}
