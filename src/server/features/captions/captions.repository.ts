import { sql } from "kysely";
import type { KeptPart } from "#contract/videos/kept-parts.ts";
import type { BeforeCut } from "#server/db/before-cut.ts";
import type { DbOrTrx, Trx, Db } from "#server/db/connection.ts";
import type { StoredCaption } from "#server/db/stored-caption.ts";
import { isUuid } from "#server/lib/ids.ts";
import { sourceKey } from "#server/storage/media-keys.ts";

export interface CaptionPassage {
  startS: number;
  text: string;
}

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

/** Fields of a video that are needed to change its captions. */
export interface CaptionVideo {
  id: string;
  title: string;
  mediaToken: string;
  sourceKey: string;
  durationS: number;
  hlsKey: string | null;
  captions: StoredCaption[];
  keptParts: KeptPart[] | null;
  beforeCut: BeforeCut | null;
}

export async function findVideo(db: DbOrTrx, idOrSlug: string): Promise<CaptionVideo | null> {
  const row = await db
    .selectFrom("videos")
    .select([
      ...(["id", "title", "captions"] as const),
      ...(["media_token as mediaToken", "duration_s as durationS", "hls_key as hlsKey"] as const),
      ...(["source_key as sourceKey", "kept_parts as keptParts"] as const),
      "before_cut as beforeCut",
    ])
    .where(isUuid(idOrSlug) ? "id" : "slug", "=", idOrSlug)
    .executeTakeFirst();
  return row === undefined ? null : { ...row, sourceKey: row.sourceKey ?? sourceKey(row.id) };
}

/** @returns false if the captions or the ladder differ from `before`. */
export async function saveCaptions(
  trx: Trx,
  before: CaptionVideo,
  next: { captions: readonly StoredCaption[]; hlsKey: string | null },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update videos set captions = ${JSON.stringify(next.captions)}::jsonb, hls_key = ${next.hlsKey}
    where id = ${before.id}::uuid and captions = ${JSON.stringify(before.captions)}::jsonb
      and hls_key is not distinct from ${before.hlsKey}`.execute(trx);
  return (numAffectedRows ?? 0n) > 0n;
}
