import { sql } from "kysely";
import type { DbOrTrx } from "#server/db/connection.ts";
import { siteDay } from "#server/db/site-day.sql.ts";
import type { AdRow } from "../records/ads.repository.ts";
import { bookedMicros, type CampaignRow } from "../records/campaigns.repository.ts";

/**
 * Returns every current or future ad: active, approved and not ended. Runs only after a change and
 * takes one index scan (`ads_delivery_idx`).
 */
export async function listDeliverable(db: DbOrTrx, now: Date): Promise<AdRow[]> {
  return await db
    .selectFrom("ads")
    .selectAll()
    .where("is_active", "=", true)
    .where("is_approved", "=", true)
    .where(sql<Date>`coalesce(ends_at, 'infinity'::timestamptz)`, ">", now)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
}

interface ImpressionCounts {
  id: string;
  total: number;
  today: number;
}

/** Returns the verified impressions of these ads: in total, and today. */
export async function listImpressionCounts(
  db: DbOrTrx,
  ids: string[],
  now: Date,
): Promise<ImpressionCounts[]> {
  const { rows } = await sql<ImpressionCounts>`
    select a.id, a.verified_impressions as total,
      coalesce((select sum(s.verified_impressions) from ad_stats_daily s
        where s.ad_id = a.id and s.day = ${siteDay(now)}), 0)::bigint as today
    from ads a where a.id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

/** Returns campaigns that run now or later. */
export async function listRunning(
  db: DbOrTrx,
  now: Date,
): Promise<(CampaignRow & { revenue_micros: number })[]> {
  return await db
    .selectFrom("campaigns")
    .selectAll()
    .select(bookedMicros.as("revenue_micros"))
    .where("is_active", "=", true)
    .where(sql<Date>`coalesce(ends_at, 'infinity'::timestamptz)`, ">", now)
    .execute();
}

/** Returns the codes of the referral links that brought a visitor. */
export async function listReferralCodes(db: DbOrTrx, visitorId: string): Promise<Set<string>> {
  const { rows } = await sql<{ code: string }>`
    select r.code from referral_visitors v join referrals r on r.id = v.referral_id
    where v.visitor_id = ${visitorId}`.execute(db);
  return new Set(rows.map(({ code }) => code));
}
