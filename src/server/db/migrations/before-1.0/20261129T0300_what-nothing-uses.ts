import { sql, type Kysely } from "kysely";

/**
 * Removes what the program no longer names, so that the schema equals the one of a new database. The
 * program is stopped during this upgrade.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop table campaign_leases, job_workers, label_tops, label_top_bounds, label_top_changes,
      ladder_parts, report_mail_sends, report_mail_recipients, report_mails, search_typos`.execute(
    db,
  );
  await sql`drop function one_letter_less(text)`.execute(db);
  for (const table of ["video_stats_hourly", "video_stats_daily"]) {
    await sql`
      alter table ${sql.table(table)}
        rename constraint ${sql.id(`${table}_video_id_fkey1`)} to ${sql.id(`${table}_video_id_fkey`)}`.execute(
      db,
    );
  }
  const stamps = [
    "captions",
    "chapters",
    "visibility",
    "loudness",
    "sounds",
    "translations",
    "clips",
  ];
  for (const name of ["stamp_video", ...stamps.map((stamp) => `stamp_video_${stamp}`)]) {
    await sql`drop trigger ${sql.id(name)} on videos`.execute(db);
  }
  await sql`
    create trigger stamp_video before update of slug, title, description, status, is_published,
      is_premium, is_sensitive, blocked_countries, published_at, file_format, duration_s, width,
      height, midroll_times, media_token, source_key, poster_key, thumbnail_key, progressive_key,
      progressive_small_key, hls_key, preview_key, storyboard_key, version, captions, chapters,
      visibility, loudness, file_gain_db, ladder_gain_db, sounds, translations, clip_of,
      held_visibility, held_sensitive, held_countries
    on videos for each row execute function stamp_video()`.execute(db);
}
