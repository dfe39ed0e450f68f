import { sql, type Kysely } from "kysely";

/** Who may show videos in frames on other sites. The rule of a video overrides the site's. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table settings
      add column embedding text not null default 'any'
        check (embedding in ('any', 'listed', 'nobody')),
      add column embed_origins text[] not null default '{}'`.execute(db);
  await sql`
    alter table videos
      add column embedding text not null default 'site'
        check (embedding in ('site', 'any', 'nobody'))`.execute(db);
  // The age page needs the rules of all videos that have one.
  await sql`
    create index videos_embedding_idx on videos (id) where embedding <> 'site'`.execute(db);
}
