import { sql } from "kysely";
import type { ReferralStats } from "#contract/visitors/referrals.ts";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";
import { siteDay } from "#server/db/site-day.sql.ts";

/** Fields of a referral set by administrators. */
interface ReferralFields {
  id: string;
  code: string;
  name: string;
  target: string;
  note: string | null;
  isActive: boolean;
}

export interface ReferralRow extends ReferralFields {
  createdAt: Date;
  visits: number;
  uniqueVisitors: number;
  plays: number;
}

const columns = sql`
  r.id, r.code, r.name, r.target, r.note, r.is_active as "isActive", r.created_at as "createdAt",
  coalesce(s.visits, 0)::float8 as visits,
  (select count(*)::int from referral_visitors v where v.referral_id = r.id) as "uniqueVisitors",
  coalesce(s.plays, 0)::float8 as plays`;

const sums = sql`
  left join lateral (
    select sum(visits) as visits, sum(plays) as plays
    from referral_stats_daily where referral_id = r.id
  ) s on true`;

export async function listReferrals(
  db: DbOrTrx,
  search: string | undefined,
): Promise<ReferralRow[]> {
  const pattern = `%${(search ?? "").toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  const { rows } = await sql<ReferralRow>`
    select ${columns} from referrals r ${sums}
    where lower(r.name) like ${pattern} or r.code like ${pattern}
    order by r.created_at desc, r.id desc`.execute(db);
  return rows;
}

export async function findReferral(db: DbOrTrx, id: string): Promise<ReferralRow | null> {
  const { rows } = await sql<ReferralRow>`
    select ${columns} from referrals r ${sums} where r.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Locks a referral for the rest of the transaction. */
export async function lockReferral(trx: Trx, id: string): Promise<void> {
  await sql`select from referrals where id = ${id} for update`.execute(trx);
}

/** @returns false if the code is taken. */
export async function insertReferral(db: DbOrTrx, row: ReferralFields): Promise<boolean> {
  const { rows } = await sql`
    insert into referrals (id, code, name, target, note, is_active)
    values (${row.id}, ${row.code}, ${row.name}, ${row.target}, ${row.note}, ${row.isActive})
    on conflict (code) do nothing returning id`.execute(db);
  return rows.length > 0;
}

/** @returns false if another referral has the code. */
export async function updateReferral(db: DbOrTrx, row: ReferralFields): Promise<boolean> {
  const { rows } = await sql`
    update referrals set code = ${row.code}, name = ${row.name}, target = ${row.target},
      note = ${row.note}, is_active = ${row.isActive}, updated_at = now()
    where id = ${row.id}
      and not exists (select from referrals o where o.code = ${row.code} and o.id <> ${row.id})
    returning id`.execute(db);
  return rows.length > 0;
}

/** Replaces a code in the targets of campaigns. */
export async function retargetCampaigns(trx: Trx, from: string, into: string): Promise<void> {
  await sql`
    update campaigns set version = version + 1,
      target_referrals = case when ${into} = any(target_referrals)
        then array_remove(target_referrals, ${from})
        else array_replace(target_referrals, ${from}, ${into}) end
    where ${from} = any(target_referrals)`.execute(trx);
}

export async function deleteReferral(db: DbOrTrx, id: string): Promise<void> {
  await sql`delete from referrals where id = ${id}`.execute(db);
}

/** Counts a visit through an active link. @returns false if there is no such link. */
export async function recordVisit(
  db: DbOrTrx,
  code: string,
  visitorId: string,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    with link as (select id from referrals where code = ${code} and is_active),
    known as (
      select v.referral_id, v.last_day from referral_visitors v join link on link.id = v.referral_id
      where v.visitor_id = ${visitorId}
    ),
    seen as (
      insert into referral_visitors (referral_id, visitor_id, first_day, last_day, last_at)
      select id, ${visitorId}::uuid, ${siteDay(now)}, ${siteDay(now)}, ${now} from link
      on conflict (referral_id, visitor_id)
        do update set last_day = excluded.last_day, last_at = excluded.last_at
      returning referral_id, last_day
    )
    insert into referral_stats_daily as s (referral_id, day, visits, unique_visitors)
    select seen.referral_id, seen.last_day, 1,
      case when known.last_day = seen.last_day then 0 else 1 end
    from seen left join known on known.referral_id = seen.referral_id
    on conflict (referral_id, day) do update set
      visits = s.visits + 1, unique_visitors = s.unique_visitors + excluded.unique_visitors
    returning s.referral_id`.execute(db);
  return rows.length > 0;
}

/** Returns each of the last `days` days, including today. */
export async function listDays(
  db: DbOrTrx,
  id: string,
  days: number,
  now: Date,
): Promise<ReferralStats["days"]> {
  const { rows } = await sql<ReferralStats["days"][number]>`
    select to_char(d, 'YYYY-MM-DD') as day, coalesce(s.visits, 0)::float8 as visits,
      coalesce(s.unique_visitors, 0)::float8 as "uniqueVisitors", coalesce(s.plays, 0)::float8 as plays
    from generate_series(${siteDay(now)} - ${days - 1}::int, ${siteDay(now)}, interval '1 day') d
    left join referral_stats_daily s on s.referral_id = ${id} and s.day = d::date
    order by d`.execute(db);
  return rows;
}

/** Number of days after a visit in which plays count for the link that last brought the visitor. */
const attributionDays = 30;

/** Counts one play for each of these visitors who came by a link. */
export async function recordPlays(db: DbOrTrx, visitorIds: string[], now: Date): Promise<void> {
  await sql`
    insert into referral_stats_daily as s (referral_id, day, plays)
    select v.referral_id, ${siteDay(now)}, count(*)
    from unnest(${visitorIds}::uuid[]) as given (id)
    join lateral (
      select referral_id from referral_visitors
      where visitor_id = given.id
        and last_at > ${now}::timestamptz - make_interval(days => ${attributionDays})
      order by last_at desc limit 1
    ) v on true
    group by v.referral_id order by v.referral_id
    on conflict (referral_id, day) do update set plays = s.plays + excluded.plays`.execute(db);
}
