import { sql, type Kysely } from "kysely";

/**
 * Which hundredths of a video were played and replayed, per day with plays, and countries, devices
 * and origins of plays as counts. The day -infinity has the sums of days that are too old.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Null for a play that doesn't count. Two bits per hundredth of the video.
  await sql`alter table watches add column bins bytea, add column bins_since timestamptz`.execute(
    db,
  );
  const bins = sql`plays int not null, watched int[] not null, replayed int[] not null`;
  await sql`
    create table video_bins (
      video_id uuid not null references videos (id) on delete cascade,
      day date not null,
      ${bins},
      primary key (video_id, day)
    )`.execute(db);
  await sql`create index video_bins_day_idx on video_bins (day)`.execute(db);
  await sql`create table site_bins (day date primary key, ${bins})`.execute(db);
  await sql`
    create table video_sources (
      video_id uuid not null references videos (id) on delete cascade,
      day date not null,
      kind text not null,
      name text not null,
      plays int not null,
      primary key (video_id, day, kind, name)
    )`.execute(db);
  await sql`create index video_sources_day_idx on video_sources (day)`.execute(db);
  await sql`
    create table site_sources (
      day date not null,
      kind text not null,
      name text not null,
      plays int not null,
      primary key (day, kind, name)
    )`.execute(db);
  await sql`alter table settings add column replay_peak boolean not null default false`.execute(db);
  await sql`
    create function add_bins(a int[], b int[]) returns int[] language sql immutable parallel safe
    as $$
      select array_agg(coalesce(x, 0) + coalesce(y, 0) order by n)
      from unnest(a, b) with ordinality as u (x, y, n)
    $$`.execute(db);
  await sql`create aggregate sum_bins(int[]) (sfunc = add_bins, stype = int[], parallel = safe,
    combinefunc = add_bins)`.execute(db);
}
