import { sql } from "kysely";
import type { CutMove } from "#contract/videos/kept-parts.ts";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";
import type { TimedComment } from "./follow-cut.ts";

/** Returns the comments on a video whose text contains a time, such as 1:23. */
export async function listTimedComments(db: DbOrTrx, videoId: string): Promise<TimedComment[]> {
  const { rows } = await sql<TimedComment>`
    select id, text from comments where video_id = ${videoId}::uuid and text ~ '\\d:\\d\\d'
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

/** Moves the passages of a video's clips. A removed passage becomes the point of the cut. */
export async function moveClipPassages(trx: Trx, longId: string, move: CutMove): Promise<void> {
  const clips = await trx
    .selectFrom("videos")
    .select(["id", "clip_start_s", "clip_end_s", "clip_plan"])
    .where("clip_of", "=", longId)
    .orderBy("id")
    .forUpdate()
    .execute();
  for (const { id, clip_start_s: oldStartS, clip_end_s: oldEndS, clip_plan: plan } of clips) {
    if (oldStartS === null || oldEndS === null) continue;
    const placeS = move.toNew(oldStartS);
    const { startS, endS } = move.stretch(oldStartS, oldEndS) ?? { startS: placeS, endS: placeS };
    const thumbnailS = plan?.thumbnailS ?? null;
    await trx
      .updateTable("videos")
      .set({
        clip_start_s: startS,
        clip_end_s: endS,
        ...(plan === null || thumbnailS === null
          ? {}
          : { clip_plan: JSON.stringify({ ...plan, thumbnailS: move.toNew(thumbnailS) }) }),
      })
      .where("id", "=", id)
      .execute();
  }
}
