import { sql, type Kysely } from "kysely";

/** The revenue of campaigns by day, in millionths, so that a changed price doesn't affect past days. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table campaign_days (
      campaign_id uuid not null references campaigns (id) on delete cascade,
      day date not null,
      currency text not null,
      micros double precision not null,
      primary key (campaign_id, day, currency)
    ) with (fillfactor = 60)`.execute(db);
  // Past days get the current price, which reports have used so far. Flat prices are booked when they
  // are first read.
  await sql`
    insert into campaign_days (campaign_id, day, currency, micros)
    select c.id, s.day, c.currency, sum(case c.price_model
        when 'cpm' then s.verified_impressions * least(c.price_micros / 1000.0,
          coalesce(c.budget_micros::float8 / greatest(c.impressions, 1), 'infinity'))
        else s.verified_clicks * least(c.price_micros::float8,
          coalesce(c.budget_micros::float8 / greatest(c.clicks, 1), 'infinity')) end)
    from campaigns c join ads a on a.campaign_id = c.id join ad_stats_daily s on s.ad_id = a.id
    where c.price_model in ('cpm', 'cpc') and c.price_micros is not null
    group by c.id, s.day`.execute(db);
}
