import { sql } from "kysely";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";
import { sourcePrefix } from "#server/storage/media-keys.ts";

/** Video whose files older rules may have made. */
export interface DueVideo {
  id: string;
  mediaToken: string;
  sourceKey: string;
  /** First playable file. It can be a copy of the source. */
  playableKey: string | null;
  hlsKey: string | null;
  durationS: number;
  isHdr: boolean;
}

/**
 * Condition for a complete video that needs a review. A video whose new file is being processed is
 * reviewed after the switch.
 */
const isDue = sql<boolean>`v.needs_review and v.status = 'ready' and coalesce(v.progress, 1) = 1
  and not exists (select from video_replacements r where r.video_id = v.id
    and not r.is_renewal and r.switched_at is null and r.status <> 'failed')`;

/** Returns videos in the order of their ids, after `after`. */
export async function listDue(
  db: DbOrTrx,
  { after, limit }: { after: string | null; limit: number },
): Promise<DueVideo[]> {
  const { rows } = await sql<DueVideo>`
    select v.id, v.media_token as "mediaToken", coalesce(v.source_key, ${sourcePrefix} || v.id) as "sourceKey",
      v.progressive_key as "playableKey", v.hls_key as "hlsKey", v.duration_s as "durationS",
      exists (select from unnest(v.media_notices) n where n ~ 'HDR|high dynamic range') as "isHdr"
    from videos v where ${isDue} and (${after}::uuid is null or v.id > ${after}::uuid)
    order by v.id limit ${limit}`.execute(db);
  return rows;
}

/** Returns whether a video whose row is locked still needs a review. */
export async function isStillDue(trx: Trx, id: string): Promise<boolean> {
  const { rows } = await sql`select from videos v where v.id = ${id}::uuid and ${isDue}`.execute(
    trx,
  );
  return rows.length > 0;
}

/** Ends the review of a video, unless its source was replaced in the meantime. */
export async function clearReview(db: DbOrTrx, { id, sourceKey }: DueVideo): Promise<void> {
  await sql`
    update videos set needs_review = false
    where id = ${id}::uuid and coalesce(source_key, ${sourcePrefix} || id) = ${sourceKey}`.execute(
    db,
  );
}

/** Deletes a video's rows of reprocessing and of switched files. Rows of failed new files stay. */
export async function deleteFormerFiles(trx: Trx, videoId: string): Promise<void> {
  await sql`
    delete from video_replacements
    where video_id = ${videoId}::uuid and (is_renewal or switched_at is not null)`.execute(trx);
}
