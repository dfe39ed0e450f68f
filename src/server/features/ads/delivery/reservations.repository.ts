import { sql } from "kysely";
import type { Trx } from "../../../db/connection.ts";

/** An impression that may be shown soon. */
interface Reservation {
  /** The number of the serve. */
  serve: string;
  adId: string;
  visitorId: string;
  /** Whether the page shows one ad of this serve. */
  isSingle: boolean;
}

/** What counts against the limits of an ad: verified impressions and open reservations. */
export interface Taken {
  today: number;
  total: number;
}

/** Locks the ads in the order of their ids, as counting does: limits are checked one after another. */
export async function lockAds(trx: Trx, ids: readonly string[]): Promise<void> {
  await sql`select id from ads where id = any(${ids}::uuid[])
    order by id for no key update`.execute(trx);
}

export async function readTaken(
  trx: Trx,
  ids: readonly string[],
  now: Date,
): Promise<Map<string, Taken>> {
  const { rows } = await sql<{ id: string } & Taken>`
    select a.id, (a.verified_impressions + r.count)::bigint as total,
      (r.count + coalesce((select sum(s.verified_impressions) from ad_stats_daily s
        where s.ad_id = a.id and s.day = (${now}::timestamptz at time zone 'UTC')::date), 0)
      )::bigint as today
    from ads a cross join lateral (select count(*) from ad_reservations
      where ad_id = a.id and expires_at > ${now}) r
    where a.id = any(${ids}::uuid[])`.execute(trx);
  return new Map(rows.map(({ id, today, total }) => [id, { today, total }]));
}

/** What each of these visitors has seen today, and what is on its way to them, by `visitorKey`. */
export async function readTakenByVisitors(
  trx: Trx,
  pairs: readonly Pick<Reservation, "adId" | "visitorId">[],
  now: Date,
): Promise<Map<string, number>> {
  if (pairs.length === 0) return new Map();
  const { rows } = await sql<{ adId: string; visitorId: string; count: number }>`
    select ad_id as "adId", visitor_id as "visitorId",
      (coalesce((select d.impressions from ad_visitor_days d
          where d.visitor_id = p.visitor_id and d.ad_id = p.ad_id
            and d.day = (${now}::timestamptz at time zone 'UTC')::date), 0)
        + (select count(*) from ad_reservations r where r.ad_id = p.ad_id
            and r.visitor_id = p.visitor_id and r.expires_at > ${now}))::bigint as count
    from unnest(
      ${pairs.map((pair) => pair.adId)}::uuid[],
      ${pairs.map((pair) => pair.visitorId)}::uuid[]
    ) as p (ad_id, visitor_id)`.execute(trx);
  return new Map(rows.map((row) => [visitorKey(row), row.count]));
}

export const visitorKey = ({ adId, visitorId }: Pick<Reservation, "adId" | "visitorId">): string =>
  `${adId} ${visitorId}`;

export async function insertReservations(
  trx: Trx,
  reservations: readonly Reservation[],
  expiresAt: Date,
): Promise<void> {
  if (reservations.length === 0) return;
  await sql`
    insert into ad_reservations (serve, ad_id, visitor_id, is_single, expires_at)
    select serve, ad_id, visitor_id, is_single, ${expiresAt}
    from unnest(
      ${reservations.map((each) => each.serve)}::bigint[],
      ${reservations.map((each) => each.adId)}::uuid[],
      ${reservations.map((each) => each.visitorId)}::uuid[],
      ${reservations.map((each) => each.isSingle)}::boolean[]
    ) as given (serve, ad_id, visitor_id, is_single)
    on conflict do nothing`.execute(trx);
}

/** Ends what these impressions were reserved by. Where a page shows one ad, the others go free. */
export async function endReservations(
  trx: Trx,
  shown: readonly { serve: string | null; adId: string }[],
): Promise<void> {
  const served = shown.filter(({ serve }) => serve !== null);
  if (served.length === 0) return;
  await sql`
    delete from ad_reservations r
    using unnest(
      ${served.map(({ serve }) => serve)}::bigint[],
      ${served.map(({ adId }) => adId)}::uuid[]
    ) as given (serve, ad_id)
    where r.serve = given.serve and (r.is_single or r.ad_id = given.ad_id)`.execute(trx);
}

export async function deleteExpiredReservations(trx: Trx, now: Date): Promise<void> {
  await sql`delete from ad_reservations where expires_at <= ${now}`.execute(trx);
}
