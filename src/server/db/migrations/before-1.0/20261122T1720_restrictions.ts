import { sql, type Kysely } from "kysely";

/** Age confirmation, blocked countries (ISO 3166-1 alpha-2) and sensitive videos. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table settings
      add column age_gate boolean not null default false,
      add column blocked_countries text[] not null default '{}'`.execute(db);
  await sql`
    alter table videos
      add column is_sensitive boolean not null default false,
      add column blocked_countries text[] not null default '{}'`.execute(db);
  // What visitors see of a video changes with these too.
  await sql`drop trigger stamp_video on videos`.execute(db);
  await sql`
    create trigger stamp_video before update of slug, title, description, status, is_published,
      is_premium, is_sensitive, blocked_countries, published_at, file_format, duration_s, width,
      height, midroll_times, media_token, source_key, poster_key, thumbnail_key, progressive_key,
      progressive_small_key, hls_key, preview_key, storyboard_key, version
    on videos for each row execute function stamp_video()`.execute(db);
  await sql`
    create index videos_blocked_countries_idx on videos (id)
    where blocked_countries <> '{}'`.execute(db);
}
