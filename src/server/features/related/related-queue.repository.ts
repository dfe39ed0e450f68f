import { sql } from "kysely";
import type { DbOrTrx } from "#server/db/connection.ts";

/** Number of most trending videos that are checked for new viewers. All others change slowly. */
const trendingMax = 2000;
/** A new choice is made after this growth in engaged viewers, or at this age. */
const growth = { factor: 1.5, viewers: 20 };
const maxAgeDays = 7;
/** Minimum time between two choices for a neighbour of a changed video. */
const restMinutes = 10;

export interface Queued {
  videoId: string;
  isUrgent: boolean;
}

/** Takes the next videos from the queue: changed ones first, then the most viewed. */
export async function takeQueued(
  db: DbOrTrx,
  max: number,
  options: { isUrgentOnly: boolean },
): Promise<Queued[]> {
  const { rows } = await sql<Queued>`
    delete from related_queue where video_id in (
      select video_id from related_queue
      where ${options.isUrgentOnly ? sql`is_urgent` : sql`true`}
      order by is_urgent desc, views desc, video_id limit ${max} for update skip locked
    ) returning video_id as "videoId", is_urgent as "isUrgent"`.execute(db);
  return rows.toSorted((a, b) => Number(b.isUrgent) - Number(a.isUrgent));
}

/** Queues videos whose choice may include a changed video. */
export async function queueNeighbours(db: DbOrTrx, ids: readonly string[]): Promise<void> {
  await sql`
    insert into related_queue
    select v.id, false, v.views from videos v
    where v.id = any(${[...ids]}::uuid[]) and not exists (select from related_videos r
      where r.video_id = v.id and r.chosen_at > now() - make_interval(mins => ${restMinutes}))
    order by v.id on conflict do nothing`.execute(db);
}

/** Queues trending videos with many new viewers or no choice yet, and the oldest choices. */
export async function queueOutdated(db: DbOrTrx, max: number): Promise<void> {
  await sql`
    with trending as materialized (
      select id, engaged, views from videos where is_listed
      order by trend desc, id desc limit ${sql.lit(trendingMax)}
    ), outdated as (
      (select t.id, t.views from trending t left join related_videos r on r.video_id = t.id
        where r.video_id is null
          or t.engaged >= ${sql.lit(growth.factor)} * r.engaged + ${sql.lit(growth.viewers)}
        limit ${max})
      union
      (select v.id, v.views from related_videos r join videos v on v.id = r.video_id
        where r.chosen_at < now() - make_interval(days => ${sql.lit(maxAgeDays)}) and v.is_listed
        order by r.chosen_at limit ${max})
    )
    insert into related_queue select id, false, views from outdated order by id
    on conflict do nothing`.execute(db);
}
