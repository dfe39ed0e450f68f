import { sql } from "kysely";
import type { Db, Trx } from "#server/db/connection.ts";
import type { StoredCaption } from "#server/db/stored-caption.ts";
import type { CaptionPassage } from "./caption-passages.ts";

/**
 * Locks and returns a video with changed captions, or null. Skips videos that other processes have
 * locked.
 */
export async function takeStale(
  trx: Trx,
): Promise<{ id: string; captions: StoredCaption[] } | null> {
  const { rows } = await sql<{ id: string; captions: StoredCaption[] }>`
    with taken as (
      delete from caption_stale where video_id = (
        select video_id from caption_stale order by video_id limit 1 for update skip locked)
      returning video_id
    )
    select v.id, v.captions from videos v join taken on taken.video_id = v.id`.execute(trx);
  return rows[0] ?? null;
}

export async function hasStale(db: Db): Promise<boolean> {
  return (await db.selectFrom("caption_stale").select("video_id").limit(1).execute()).length > 0;
}

/** Replaces the searchable passages of a video's captions. */
export async function writePassages(
  trx: Trx,
  videoId: string,
  passages: readonly CaptionPassage[],
): Promise<void> {
  await sql`delete from caption_passages where video_id = ${videoId}`.execute(trx);
  await sql`
    insert into caption_passages (video_id, number, start_s, text)
    select ${videoId}::uuid, at, start_s, fold(given)
    from unnest(${passages.map(({ startS }) => startS)}::int[], ${passages.map(({ text }) => text)}::text[])
      with ordinality as p (start_s, given, at)`.execute(trx);
  await sql`select refresh_search(array[${videoId}::uuid])`.execute(trx);
}
