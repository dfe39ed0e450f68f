import { sql } from "kysely";
import type { TimeRange } from "#contract/limits.ts";
import type { Translations } from "#contract/videos/translations.ts";
import type { DbOrTrx } from "#server/db/connection.ts";
import { rangeHours, type ShortRange } from "#server/features/videos/query/list-order.ts";

export interface TopVideo {
  title: string;
  translations: Translations | null;
  views: number;
  slug: string;
}

export interface Sums {
  views: number;
  likes: number;
}

/** Returns the site's views and likes in a range, and in the preceding period of equal length. */
export async function sumRange(
  db: DbOrTrx,
  range: ShortRange,
): Promise<{ current: Sums; before: Sums }> {
  const length = sql`make_interval(hours => ${rangeHours[range]})`;
  // Window of the stored lists.
  const { rows } = await sql<{ isCurrent: boolean; views: number; likes: number }>`
    select s.hour > w.hour - ${length} as "isCurrent",
      sum(s.views)::float8 as views, sum(s.likes)::float8 as likes
    from ranking_window w join site_stats_hourly s on s.hour > w.hour - 2 * ${length}
    group by 1`.execute(db);
  const sums = (isCurrent: boolean): Sums => {
    const row = rows.find((each) => each.isCurrent === isCurrent);
    return { views: row?.views ?? 0, likes: Math.max(0, row?.likes ?? 0) };
  };
  return { current: sums(true), before: sums(false) };
}

const translations = sql`nullif(v.translations, '{}')`;

/** Returns the most viewed video of a range, or null without views. */
export async function findTopVideo(db: DbOrTrx, range: TimeRange): Promise<TopVideo | null> {
  if (range === "all") {
    const { rows } = await sql<TopVideo>`
      select title, ${translations} as translations, views, slug from videos v
      where is_listed and views > 0 order by views desc, id desc limit 1`.execute(db);
    return rows[0] ?? null;
  }
  const views = sql.ref(`s.views_${range}`);
  const { rows } = await sql<TopVideo>`
    select v.title, ${translations} as translations, ${views} as views, v.slug
    from video_range_scores s join videos v on v.id = s.video_id
    where s.is_listed and ${views} > 0
    order by ${views} desc, s.video_id desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/**
 * Moves the windows of the last 24, 168 and 720 hours to the hour of `at` and subtracts what has
 * expired. Returns false if another process is moving them or if counting holds the lock for too
 * long.
 */
export async function moveRankingWindow(db: DbOrTrx, at: Date): Promise<boolean> {
  const { rows } = await sql<{ isDone: boolean }>`
    select move_ranking_window(${at}::timestamptz) as "isDone"`.execute(db);
  return rows[0]?.isDone ?? false;
}
