import { sql, type RawBuilder } from "kysely";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";
import type { PassageOfClip, TimedComment } from "./follow-cut.ts";

/** Returns the comments on a video whose text contains a time, such as 1:23. */
export async function listTimedComments(db: DbOrTrx, videoId: string): Promise<TimedComment[]> {
  const { rows } = await sql<TimedComment>`
    select id, text from comments where video_id = ${videoId}::uuid and text ~ '\\d[:：]\\d\\d'
    order by id`.execute(db);
  return rows;
}

export async function updateComments(trx: Trx, comments: readonly TimedComment[]): Promise<void> {
  if (comments.length === 0) return;
  await sql`
    update comments c set text = g.text
    from unnest(${comments.map(({ id }) => id)}::uuid[], ${comments.map(({ text }) => text)}::text[])
      as g (id, text)
    where c.id = g.id`.execute(trx);
}

/** Deletes the watch statistics per hundredth of a video, because its duration changes. */
export async function deleteWatchedBins(trx: Trx, videoId: string): Promise<void> {
  await sql`delete from video_bins where video_id = ${videoId}::uuid`.execute(trx);
}

const kept = sql`(kept_rows -> 'videos' -> 0)`;

/** Locks the clips of a video, also those in the trash, and returns their passages. */
export async function lockClipPassages(trx: Trx, longId: string): Promise<PassageOfClip[]> {
  const { rows: live } = await sql<PassageOfClip>`
    select id, clip_start_s as "startS", clip_end_s as "endS",
      (clip_plan ->> 'thumbnailS')::float8 as "thumbnailS"
    from videos where clip_of = ${longId}::uuid and clip_start_s is not null
    order by id for no key update`.execute(trx);
  // Runs second, so that it sees clips that were removed while the first query waited for them.
  const { rows: trashed } = await sql<PassageOfClip>`
    select id, (${kept} ->> 'clip_start_s')::float8 as "startS",
      (${kept} ->> 'clip_end_s')::float8 as "endS",
      (${kept} -> 'clip_plan' ->> 'thumbnailS')::float8 as "thumbnailS"
    from removed_videos
    where (${kept} ->> 'clip_of')::uuid = ${longId}::uuid and ${kept} ->> 'clip_start_s' is not null
    order by id for update`.execute(trx);
  return [...live, ...trashed];
}

/** Stores the passages of clips, also in the trash. */
export async function updateClipPassages(trx: Trx, clips: readonly PassageOfClip[]): Promise<void> {
  if (clips.length === 0) return;
  const given = sql`unnest(${clips.map(({ id }) => id)}::uuid[],
    ${clips.map(({ startS }) => startS)}::float8[], ${clips.map(({ endS }) => endS)}::float8[],
    ${clips.map(({ thumbnailS }) => thumbnailS)}::float8[]) as g (id, start_s, end_s, thumbnail_s)`;
  const movePlan = (plan: RawBuilder<unknown>) => sql`case when g.thumbnail_s is null then ${plan}
    else jsonb_set(${plan}, '{thumbnailS}', to_jsonb(g.thumbnail_s)) end`;
  await sql`
    update videos v set clip_start_s = g.start_s, clip_end_s = g.end_s,
      clip_plan = ${movePlan(sql`v.clip_plan`)}, updated_at = clock_timestamp()
    from ${given} where v.id = g.id`.execute(trx);
  await sql`
    update removed_videos r set kept_rows = jsonb_set(kept_rows, '{videos,0}',
      ${kept} || jsonb_build_object('clip_start_s', g.start_s, 'clip_end_s', g.end_s,
        'clip_plan', ${movePlan(sql`nullif(${kept} -> 'clip_plan', 'null')`)}))
    from ${given} where r.id = g.id`.execute(trx);
}
