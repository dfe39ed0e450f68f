import { sql } from "kysely";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";
import { siteDay, siteZone } from "#server/db/site-day.sql.ts";
import type { CampaignCounts } from "../rules/campaign-rules.ts";

/** Impression that may be shown soon. */
interface Reservation {
  /** Number of the serve. */
  serve: string;
  adId: string;
  visitorId: string;
  addressGroup: string;
  /** True if the page shows only one ad of this serve. */
  isSingle: boolean;
  campaignId: string | null;
  /** True if a viewable impression ends it, instead of an impression. */
  endsWhenViewable: boolean;
}

/** Counts against the limits of an ad: verified impressions and open reservations. */
export interface Taken {
  today: number;
  total: number;
}

/**
 * Locks the ads, then the campaigns, each in the order of their ids, so that only one process
 * checks limits at a time. The counting locks in the same order.
 */
export async function lockLimited(
  trx: Trx,
  adIds: readonly string[],
  campaignIds: readonly string[],
): Promise<void> {
  await sql`select id from ads where id = any(${adIds}::uuid[])
    order by id for no key update`.execute(trx);
  if (campaignIds.length === 0) return;
  await sql`select id from campaigns where id = any(${campaignIds}::uuid[])
    order by id for no key update`.execute(trx);
}

/** Returns the campaigns' verified events, and their impressions of this hour and day. */
export async function listCampaignCounts(
  db: DbOrTrx,
  ids: readonly string[],
  now: Date,
): Promise<Map<string, CampaignCounts>> {
  const { rows } = await sql<{ id: string } & CampaignCounts>`
    select c.id, c.impressions, c.viewable, c.clicks,
      coalesce(sum(h.impressions), 0)::bigint as day,
      coalesce(sum(h.impressions) filter (
        where h.hour = date_trunc('hour', ${now}::timestamptz, ${siteZone})), 0)::bigint as hour
    from campaigns c left join campaign_hours h
      on h.campaign_id = c.id and h.hour >= date_trunc('day', ${now}::timestamptz, ${siteZone})
    where c.id = any(${ids}::uuid[]) group by c.id`.execute(db);
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}

/** Returns the campaigns' verified events, including reserved impressions. */
export async function readTakenByCampaigns(
  trx: Trx,
  ids: readonly string[],
  now: Date,
): Promise<Map<string, CampaignCounts>> {
  if (ids.length === 0) return new Map();
  const counts = await listCampaignCounts(trx, ids, now);
  const { rows } = await sql<{ id: string; open: number }>`
    select campaign_id as id, count(*)::bigint as open from ad_reservations
    where campaign_id = any(${ids}::uuid[]) and expires_at > ${now}
    group by campaign_id`.execute(trx);
  for (const { id, open } of rows) {
    const taken = counts.get(id);
    if (taken === undefined) continue;
    // Assumes the current click-through rate.
    taken.clicks += Math.floor((open * taken.clicks) / Math.max(1, taken.impressions));
    for (const measure of ["hour", "day", "impressions", "viewable"] as const) {
      taken[measure] += open;
    }
  }
  return counts;
}

/**
 * Returns the open reservations of these address groups, by group and ad, and by group and
 * campaign.
 */
export async function readOpenByGroup(
  trx: Trx,
  groups: readonly string[],
  now: Date,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ key: string; open: number }>`
    select address_group || ' ' || coalesce(ad_id, campaign_id) as key, count(*)::bigint as open
    from ad_reservations
    where address_group = any(${groups}::text[]) and expires_at > ${now}
    group by grouping sets ((address_group, ad_id), (address_group, campaign_id))
    having coalesce(ad_id, campaign_id) is not null`.execute(trx);
  return new Map(rows.map(({ key, open }) => [key, open]));
}

/** Returns the verified impressions of ads. */
export async function listVerifiedCounts(
  trx: Trx,
  ids: readonly string[],
  now: Date,
): Promise<Map<string, Taken>> {
  const { rows } = await sql<{ id: string } & Taken>`
    select a.id, a.verified_impressions::bigint as total,
      coalesce((select sum(s.verified_impressions) from ad_stats_daily s
        where s.ad_id = a.id and s.day = ${siteDay(now)}), 0)::bigint as today
    from ads a where a.id = any(${ids}::uuid[])`.execute(trx);
  return new Map(rows.map(({ id, today, total }) => [id, { today, total }]));
}

export async function readTaken(
  trx: Trx,
  ids: readonly string[],
  now: Date,
): Promise<Map<string, Taken>> {
  const { rows } = await sql<{ id: string } & Taken>`
    select a.id, (a.verified_impressions + r.count)::bigint as total,
      (r.count + coalesce((select sum(s.verified_impressions) from ad_stats_daily s
        where s.ad_id = a.id and s.day = ${siteDay(now)}), 0)
      )::bigint as today
    from ads a cross join lateral (select count(*) from ad_reservations
      where ad_id = a.id and expires_at > ${now}) r
    where a.id = any(${ids}::uuid[])`.execute(trx);
  return new Map(rows.map(({ id, today, total }) => [id, { today, total }]));
}

/** Ad or campaign with a cap, and a visitor. */
interface Capped {
  id: string;
  visitorId: string;
}

/**
 * Returns the visitors' verified impressions today of each ad and campaign, by `visitorKey`, for ads
 * that are capped themselves or through their campaign.
 */
export async function listVisitorCounts(
  db: DbOrTrx,
  visitorIds: readonly string[],
  now: Date,
): Promise<Map<string, number>> {
  const { rows } = await sql<Capped & { impressions: number }>`
    select coalesce(d.ad_id, a.campaign_id) as id, d.visitor_id as "visitorId",
      sum(d.impressions)::bigint as impressions
    from ad_visitor_days d join ads a on a.id = d.ad_id
    where d.visitor_id = any(${visitorIds}::uuid[]) and d.day = ${siteDay(now)}
    group by grouping sets ((d.visitor_id, d.ad_id), (d.visitor_id, a.campaign_id))
    having coalesce(d.ad_id, a.campaign_id) is not null`.execute(db);
  return new Map(rows.map((row) => [visitorKey(row), row.impressions]));
}

/** Returns today's impressions and open reservations of each visitor, by `visitorKey`. */
export async function readTakenByVisitors(
  trx: Trx,
  pairs: readonly Capped[],
  now: Date,
): Promise<Map<string, number>> {
  if (pairs.length === 0) return new Map();
  const { rows } = await sql<Capped & { count: number }>`
    select id, visitor_id as "visitorId",
      (coalesce((select sum(d.impressions) from ad_visitor_days d join ads a on a.id = d.ad_id
          where d.visitor_id = p.visitor_id and p.id in (a.id, a.campaign_id)
            and d.day = ${siteDay(now)}), 0)
        + (select count(*) from ad_reservations r where (r.ad_id = p.id or r.campaign_id = p.id)
            and r.visitor_id = p.visitor_id and r.expires_at > ${now}))::bigint as count
    from unnest(
      ${pairs.map((pair) => pair.id)}::uuid[],
      ${pairs.map((pair) => pair.visitorId)}::uuid[]
    ) as p (id, visitor_id)`.execute(trx);
  return new Map(rows.map((row) => [visitorKey(row), row.count]));
}

export const visitorKey = ({ id, visitorId }: Capped): string => `${id} ${visitorId}`;

export async function insertReservations(
  trx: Trx,
  reservations: readonly Reservation[],
  expiresAt: Date,
): Promise<void> {
  if (reservations.length === 0) return;
  await sql`
    insert into ad_reservations
      (serve, ad_id, visitor_id, address_group, is_single, campaign_id, until_viewable, expires_at)
    select *, ${expiresAt}
    from unnest(
      ${reservations.map((each) => each.serve)}::bigint[],
      ${reservations.map((each) => each.adId)}::uuid[],
      ${reservations.map((each) => each.visitorId)}::uuid[],
      ${reservations.map((each) => each.addressGroup)}::text[],
      ${reservations.map((each) => each.isSingle)}::boolean[],
      ${reservations.map((each) => each.campaignId)}::uuid[],
      ${reservations.map((each) => each.endsWhenViewable)}::boolean[]
    ) as given (serve, ad_id, visitor_id, address_group, is_single, campaign_id, until_viewable)
    on conflict do nothing`.execute(trx);
}

/**
 * Ends the reservations of these impressions. If a page shows only one ad, releases the others. A
 * campaign whose goal is viewable impressions retains its reservation until there is one.
 */
export async function endReservations(
  trx: Trx,
  shown: readonly { serve: string | null; adId: string; event: string }[],
): Promise<void> {
  const served = shown.filter(({ serve }) => serve !== null);
  if (served.length === 0) return;
  await sql`
    delete from ad_reservations r
    using unnest(
      ${served.map(({ serve }) => serve)}::bigint[],
      ${served.map(({ adId }) => adId)}::uuid[],
      ${served.map(({ event }) => event === "viewable")}::boolean[]
    ) as given (serve, ad_id, is_viewable)
    where r.serve = given.serve and (
      case when r.ad_id = given.ad_id then given.is_viewable or not r.until_viewable
        else r.is_single end)`.execute(trx);
}

export async function deleteExpiredReservations(trx: Trx, now: Date): Promise<void> {
  await sql`delete from ad_reservations where expires_at <= ${now}`.execute(trx);
}
