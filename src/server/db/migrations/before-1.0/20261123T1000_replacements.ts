import { sql, type Kysely } from "kysely";

/**
 * New files of videos. A row holds a new file while it is processed; once it is switched, what the
 * video had before, which stays until no page or player asks for it. The names of columns are those
 * of `videos`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table video_replacements (
      id uuid primary key,
      video_id uuid not null references videos (id) on delete cascade,
      status text not null default 'processing' check (status in ('processing', 'ready', 'failed')),
      failure_reason text,
      failures int not null default 0 check (failures >= 0),
      progress real check (progress between 0 and 1),
      duration_s double precision not null default 0 check (duration_s >= 0),
      width int check (width > 0),
      height int check (height > 0),
      media_notices text[] not null default '{}',
      chapters jsonb not null default '[]',
      loudness jsonb,
      file_gain_db real not null default 0,
      ladder_gain_db real not null default 0,
      sounds jsonb not null default '[]',
      source_key text,
      source_bytes bigint check (source_bytes >= 0),
      poster_key text,
      thumbnail_key text,
      progressive_key text,
      progressive_small_key text,
      hls_key text,
      preview_key text,
      storyboard_key text,
      stored_bytes bigint not null default 0 check (stored_bytes >= 0),
      uploaded_by uuid references users (id) on delete set null,
      uploaded_by_email text not null,
      created_at timestamptz not null default now(),
      switched_at timestamptz
    )`.execute(db);
  await sql`
    create unique index video_replacements_open_idx on video_replacements (video_id)
      where switched_at is null`.execute(db);
  await sql`create index video_replacements_video_idx on video_replacements (video_id)`.execute(db);
}
