import { sql } from "kysely";
import { siteDay, siteZone } from "#server/db/site-day.sql.ts";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";

/** Verified events of a campaign. */
interface Sold {
  campaignId: string;
  impressions: number;
  clicks: number;
}

/**
 * Books events at the current price, within the remaining budget. The caller holds the locks of the
 * campaigns.
 */
export async function bookEvents(trx: Trx, sold: readonly Sold[], now: Date): Promise<void> {
  await sql`
    insert into campaign_days as b (campaign_id, day, currency, micros)
    select c.id, ${siteDay(now)}, c.currency, e.micros
    from unnest(
      ${sold.map(({ campaignId }) => campaignId)}::uuid[],
      ${sold.map(({ impressions }) => impressions)}::bigint[],
      ${sold.map(({ clicks }) => clicks)}::bigint[]
    ) as given (id, impressions, clicks)
    join campaigns c using (id)
    cross join lateral (select least(
      c.price_micros * case c.price_model when 'cpm' then given.impressions / 1000.0::float8
        when 'cpc' then given.clicks end,
      greatest(0, coalesce(c.budget_micros - (
        select coalesce(sum(d.micros), 0) from campaign_days d
        where d.campaign_id = c.id and d.currency = c.currency), 'infinity'))) as micros) e
    where c.price_model in ('cpm', 'cpc') and e.micros > 0
    order by c.id
    on conflict (campaign_id, day, currency) do update set micros = b.micros + excluded.micros
    `.execute(trx);
}

/**
 * Divides the flat price of a campaign equally among its days and books each day once, so changing
 * the price or the end affects later days only. A campaign without an end is booked on its first
 * day, and not again in another currency. A day on which the campaign is off is booked as zero.
 * @param id books only this campaign; null for all.
 */
export async function bookFlatPrices(db: DbOrTrx, now: Date, id: string | null): Promise<void> {
  await sql`
    insert into campaign_days (campaign_id, day, currency, micros)
    select f.id, day::date, f.currency, case when f.is_active
      then greatest(0, f.price_micros - f.booked) / (coalesce(f.last, f.next) - f.next + 1) else 0 end
    from (
      select c.id, c.currency, c.is_active, c.price_micros::float8 as price_micros,
        ((c.ends_at - interval '1 microsecond') at time zone ${siteZone})::date as last,
        b.booked, b.has_other_currency,
        greatest((coalesce(c.starts_at, c.created_at) at time zone ${siteZone})::date, b.last_day + 1) as next
      from campaigns c cross join lateral (
        select max(d.day) as last_day,
          coalesce(sum(d.micros) filter (where d.currency = c.currency), 0) as booked,
          coalesce(bool_or(d.micros > 0 and d.currency <> c.currency), false) as has_other_currency
        from campaign_days d where d.campaign_id = c.id) b
      where c.price_model = 'flat' and c.price_micros is not null
        and (${id}::uuid is null or c.id = ${id})
    ) f
    cross join lateral generate_series(f.next::timestamp, least(
      ${siteDay(now)},
      coalesce(f.last, case when f.is_active then f.next end))::timestamp, interval '1 day') as day
    where f.last is not null or (f.booked < f.price_micros and not f.has_other_currency)
    on conflict (campaign_id, day, currency) do nothing`.execute(db);
}
