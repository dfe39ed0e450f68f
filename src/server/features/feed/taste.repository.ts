import { sql } from "kysely";
import type { DbOrTrx } from "#server/db/connection.ts";
import { prepared } from "#server/db/prepared-statements.ts";

/** Number of latest plays that count. */
const tastePlaysMax = 50;

/** Stored play, with the sums of its video. */
export interface StoredPlay {
  videoId: string;
  title: string;
  durationS: number;
  watchTimeS: number;
  isCompleted: boolean;
  isLiked: boolean;
  rewardSum: number;
  rewardCount: number;
  labelIds: string[];
}

const labelsOfVideo = sql`
  (select string_agg(l.id::text, ',') from (
    select actor_id as id from video_actors where video_id = v.id
    union all select tag_id from video_tags where video_id = v.id
    union all select category_id from video_categories where video_id = v.id
  ) l)`;

/** Returns the visitor's latest plausible plays before the session. */
export async function listTastePlays(
  db: DbOrTrx,
  visitorId: string,
  before: Date,
): Promise<StoredPlay[]> {
  const { rows } = await sql<Omit<StoredPlay, "labelIds"> & { labelIds: string | null }>`${prepared}
    select v.id as "videoId", v.title, v.duration_s as "durationS", w.watch_time_s as "watchTimeS",
      w.completed as "isCompleted", v.reward_sum as "rewardSum", v.reward_count as "rewardCount",
      exists (select from likes l where l.video_id = v.id and l.visitor_id = w.visitor_id) as "isLiked",
      ${labelsOfVideo} as "labelIds"
    from (
      select * from watches where visitor_id = ${visitorId} and counted_at < ${before}
        and reward_weight > 0
      order by updated_at desc limit ${sql.lit(tastePlaysMax)}
    ) w join videos v on v.id = w.video_id`.execute(db);
  return rows.map(({ labelIds, ...row }) => ({ ...row, labelIds: labelIds?.split(",") ?? [] }));
}

export async function listLabelIds(db: DbOrTrx, videoIds: readonly string[]): Promise<string[][]> {
  if (videoIds.length === 0) return [];
  const { rows } = await sql<{ labelIds: string | null }>`${prepared}
    select ${labelsOfVideo} as "labelIds" from videos v
    where v.id = any(${[...videoIds]}::uuid[])`.execute(db);
  return rows.map(({ labelIds }) => labelIds?.split(",") ?? []);
}

/** Enough for many pages, because the weights fall quickly. */
const neighboursMax = 400;

/** Returns other videos watched by viewers of these videos, weighted by the reward of each play. */
export async function listNeighbours(
  db: DbOrTrx,
  plays: readonly { videoId: string; reward: number }[],
): Promise<{ videoId: string; weight: number; becauseId: string }[]> {
  if (plays.length === 0) return [];
  const { rows } = await sql<{ videoId: string; weight: number; becauseId: string }>`${prepared}
    select n.id as "videoId", sum(p.reward * n.weight) as weight,
      (array_agg(p.id order by p.reward * n.weight desc))[1] as "becauseId"
    from unnest(
      ${plays.map((play) => play.videoId)}::uuid[], ${plays.map((play) => play.reward)}::float8[]
    ) as p (id, reward)
    join related_videos r on r.video_id = p.id
    cross join unnest(r.watched_ids, r.watched_weights) as n (id, weight)
    group by 1 order by 2 desc, 1 limit ${sql.lit(neighboursMax)}`.execute(db);
  return rows;
}
