import { sql, type RawBuilder } from "kysely";
import type { Trx } from "../../db/connection.ts";

/** Weights of contract.md section 4. */
export const engagementWeight = { view: 1, completed: 1, like: 4 } as const;

/** A view is counted once per visitor and video in this time. */
export const viewWindowMs = 30 * 60 * 1000;

const halfLifeMs = 24 * 3600 * 1000;

/** The stored number falls below any other when no engagement is left; 2^-60 is nothing. */
const negligible = 60;

/** log2(w * 2^(t / 24 h)): one event in the forward-decayed sum (Cormode et al. 2009). */
export function eventScore(weight: number, atMs: number): number {
  return Math.log2(weight) + atMs / halfLifeMs;
}

/** log2(2^a + 2^b), without leaving the range of a double. `-Infinity` is an empty sum. */
export function addScores(a: number, b: number): number {
  if (a === -Infinity) return b;
  if (b === -Infinity) return a;
  return Math.max(a, b) + Math.log2(1 + 2 ** -Math.min(Math.abs(a - b), negligible));
}

/** The same in SQL, for adding `score` to the column `trend` in place. */
export function addTrend(score: RawBuilder<number>): RawBuilder<number> {
  return sql<number>`case
    when ${score}::float8 = '-Infinity' then trend
    when trend = '-Infinity' then ${score}::float8
    else greatest(trend, ${score}::float8)
      + ln(1 + power(2::float8, -least(abs(trend - ${score}::float8), ${sql.lit(negligible)}))) / ln(2::float8)
  end`;
}

/** Where less than this much of a sum would be left, its digits are used up by what goes. */
const trustworthy = 0.001;

/**
 * log2(2^trend - 2^score): takes an event back, as when a like is withdrawn. `-Infinity` where
 * nothing is left, or too little to be computed this way: then `recomputeTrend` tells.
 */
export function subtractTrend(score: RawBuilder<number>): RawBuilder<number> {
  return sql<number>`case
    when trend = '-Infinity' or trend - ${score}::float8 < ${sql.lit(trustworthy)} then '-Infinity'::float8
    else trend
      + ln(1 - power(2::float8, -least(trend - ${score}::float8, ${sql.lit(negligible)}))) / ln(2::float8)
  end`;
}

/** The decayed sum from the statistics by the hour, each hour's events taken at its middle. */
export async function recomputeTrend(trx: Trx, videoId: string): Promise<void> {
  const { view, completed, like } = engagementWeight;
  await sql`
    with events as (
      select s.views * ${sql.lit(view)} + s.completed * ${sql.lit(completed)}
          + s.likes * ${sql.lit(like)} as weight,
        (extract(epoch from s.hour)::float8 + 1800) * 1000 / ${sql.lit(halfLifeMs)} as at
      from video_stats_hourly s where s.video_id = ${videoId}
    ), latest as (select max(at) as at from events where weight > 0)
    update videos set trend = coalesce((
      select latest.at + ln(sum(e.weight * power(2::float8, greatest(e.at - latest.at, -1000)))) / ln(2::float8)
      from events e, latest where e.weight > 0 group by latest.at), '-Infinity')
    where id = ${videoId}`.execute(trx);
}

/**
 * From when on a play is an engaged one: 10 seconds or half of the video, whichever is less.
 * Units: seconds.
 */
export function engagedAfterS(durationS: number): number {
  return Math.min(10, durationS / 2);
}
