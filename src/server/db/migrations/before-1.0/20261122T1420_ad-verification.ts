import { sql, type Kysely } from "kysely";

/**
 * Verified counts of ads beside all counts, and the bounds of calls without a serve token. What was
 * counted before is taken as verified, except for robots, so that limits go on where they were.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ["ads", "ad_stats_daily"]) {
    await sql`
      alter table ${sql.ref(table)}
        add column verified_impressions bigint not null default 0 check (verified_impressions >= 0),
        add column verified_clicks bigint not null default 0 check (verified_clicks >= 0)`.execute(
      db,
    );
  }
  await sql`
    update ad_stats_daily set
      verified_impressions = greatest(impressions - suspect_impressions, 0),
      verified_clicks = greatest(clicks - suspect_clicks, 0)`.execute(db);
  await sql`
    update ads set
      verified_impressions = greatest(ads.impressions - coalesce(s.impressions, 0), 0),
      verified_clicks = greatest(ads.clicks - coalesce(s.clicks, 0), 0)
    from (
      select a.id, sum(d.suspect_impressions) as impressions, sum(d.suspect_clicks) as clicks
      from ads a left join ad_stats_daily d on d.ad_id = a.id group by a.id
    ) as s
    where s.id = ads.id`.execute(db);

  // Per ad, event and caller (a visitor or a hashed address). Unlogged: after a crash counting starts
  // again. Rows are deleted minutes after their window, so those of a deleted ad need no reference.
  await sql`
    create unlogged table ad_unverified_calls (
      ad_id uuid not null,
      event text not null,
      caller text not null,
      since timestamptz not null,
      counted int not null,
      primary key (ad_id, event, caller)
    )`.execute(db);
}
