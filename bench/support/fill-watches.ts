import { sql } from "kysely";
import type { Db } from "#server/db/connection.ts";
import { hashUnit } from "./hash-unit.ts";
import { runLanes, type Lane } from "./fill-lanes.ts";

/** Number of themes per visitor. Visitors watch several videos of each. */
const themesEach = 2;
const playsOfTheme = 10;
/** A theme consists of the videos that have one tag. Visitors watch the most viewed ones. */
const videosOfTheme = 2000;
const watchedDays = 30;
const visitorsPerStatement = 10_000;

/** Returns a rank below `count`, drawn from a Zipf distribution like `Random.zipf`. */
const zipf = (unit: ReturnType<typeof hashUnit>, count: ReturnType<typeof sql>) =>
  sql`least(${count} - 1, floor(exp(${unit} * ln(${count} + 1))) - 1)::int`;

/** Inserts visitors who watch one or two themes, so that related videos are watched together. */
export async function fillWatches(
  pool: Db,
  lanes: number,
  options: { watches: number; seed: number; now: number; onProgress: (done: string) => void },
): Promise<void> {
  await sql`
    create unlogged table bench_themes as
    select dense_rank() over (order by tag_id)::int - 1 as theme, place::int - 1 as place, video_id,
      (count(*) over (partition by tag_id))::int as videos
    from (
      select j.tag_id, j.video_id,
        row_number() over (partition by j.tag_id order by v.views desc, v.id) as place
      from video_tags j join videos v on v.id = j.video_id where v.is_listed
    ) ranked where place <= ${videosOfTheme}`.execute(pool);
  await sql`create index on bench_themes (theme, place)`.execute(pool);
  await sql`analyze bench_themes`.execute(pool);
  try {
    let written = 0;
    let next = 0;
    await runLanes(pool, lanes, async (lane) => {
      while (written < options.watches) {
        const first = next;
        next += visitorsPerStatement;
        const rows = await insertWatches(lane, first, options.watches - written, options);
        if (rows === 0) return;
        written += rows;
        options.onProgress(`${written} watches`);
      }
    });
  } finally {
    await sql`drop table bench_themes`.execute(pool);
  }
}

/** Inserts the watches of some visitors in chronological order. */
async function insertWatches(
  lane: Lane,
  firstVisitor: number,
  max: number,
  { seed, now }: { seed: number; now: number },
): Promise<number> {
  const unit = (of: number, key = sql`number * 32 + play`) => hashUnit(key, seed * 16 + of);
  const { rows } = await sql<{ n: number }>`
    with themes as materialized (
      select theme, max(videos) as videos from bench_themes group by theme
    ), visitors as materialized (
      select number, (lpad(to_hex(floor(${now} - ${unit(1, sql`number`)} * ${watchedDays} * 86400000)::bigint), 12, '0')
        || '7' || substr(digits, 1, 3) || '8' || substr(digits, 4, 15))::uuid as visitor
      from (
        select number, md5(number || ' ${sql.raw(String(seed))}') as digits
        from generate_series(${firstVisitor}::bigint, ${firstVisitor + visitorsPerStatement - 1}::bigint) as number
      ) given
    ), plays as materialized (
      select visitor, theme, play, number
      from visitors cross join generate_series(0, ${themesEach * playsOfTheme - 1}) as play
      cross join lateral (select ${zipf(
        unit(2, sql`number * 32 + play / ${sql.lit(playsOfTheme)}`),
        sql`(select count(*) from themes)`,
      )} as theme) t
    ), placed as materialized (
      select plays.*, ${zipf(unit(3), sql`videos`)} as place
      from plays join themes using (theme)
    ), watched as (
      select distinct on (visitor, video_id) visitor, video_id, ${unit(4)} < 0.6 as is_engaged,
        ${unit(4)} < 0.3 as is_completed, 60 * ${unit(6)} as watch_s,
        to_timestamp(${now / 1000}::float8 - ${unit(5)} * ${watchedDays * 86400}) as at
      from placed join bench_themes using (theme, place)
    ), written as (
      insert into watches
        (visitor_id, video_id, counted_at, engaged, completed, watch_time_s, updated_at)
      select visitor, video_id, at, is_engaged, is_completed, watch_s, at
      from watched order by at limit ${Math.max(0, max)}
      returning 1
    )
    select count(*) as n from written`.execute(lane);
  return rows[0]?.n ?? 0;
}
