import { sql, type Kysely } from "kysely";

/**
 * `videos.updated_at` changes with everything that visitors see of a video but its counts, in
 * whichever way it changes. Processes that keep videos in memory compare it. Changes of its labels
 * raise `version`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function stamp_video() returns trigger language plpgsql as $$
    begin
      new.updated_at := clock_timestamp();
      return new;
    end $$`.execute(db);
  // Not on counts, which change with every play.
  await sql`
    create trigger stamp_video before update of slug, title, description, status, is_published,
      is_premium, published_at, file_format, duration_s, width, height, midroll_times, media_token,
      source_key, poster_key, thumbnail_key, progressive_key, progressive_small_key, hls_key,
      preview_key, storyboard_key, version
    on videos for each row execute function stamp_video()`.execute(db);
}
