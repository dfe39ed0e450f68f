import { sql, type Insertable, type RawBuilder, type Updateable } from "kysely";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";
import type { Database } from "#server/db/schema.ts";
import type { VideosTable } from "#server/db/schema.ts";
import { updateVideo, type ReplacementRow, type VideoRow } from "../videos.repository.ts";

/** Returns the video that plays the files of this replacement; null before the switch. */
export async function findSwitched(
  db: DbOrTrx,
  id: string,
): Promise<{ videoId: string; isReprocessing: boolean } | null> {
  const row = await db
    .selectFrom("video_replacements")
    .select(["video_id as videoId", "is_renewal as isReprocessing"])
    .where("id", "=", id)
    .where("switched_at", "is not", null)
    .executeTakeFirst();
  return row ?? null;
}

/** Returns the video for which an upload is or was the new file. */
export async function findReplacedVideo(db: DbOrTrx, id: string): Promise<string | null> {
  const row = await db
    .selectFrom("video_replacements")
    .select("video_id")
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.video_id ?? null;
}

export async function insertReplacement(
  trx: Trx,
  row: Insertable<Database["video_replacements"]>,
): Promise<void> {
  await trx.insertInto("video_replacements").values(row).execute();
}

export async function deleteReplacement(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom("video_replacements").where("id", "=", id).execute();
}

/** Deletes replacements switched before this time. The sweep can then delete the old files. */
export async function deleteSwitched(db: DbOrTrx, before: Date): Promise<void> {
  await db.deleteFrom("video_replacements").where("switched_at", "<", before).execute();
}

/** Columns that come from a video's file and change with it. */
const partsOf = (row: VideoRow | ReplacementRow) => ({
  duration_s: row.duration_s,
  width: row.width,
  height: row.height,
  media_notices: row.media_notices,
  skipped_files: row.skipped_files,
  needs_review: row.needs_review,
  kept_parts: row.kept_parts === null ? null : JSON.stringify(row.kept_parts),
  chapters: JSON.stringify(row.chapters),
  loudness: row.loudness === null ? null : JSON.stringify(row.loudness),
  file_gain_db: row.file_gain_db,
  ladder_gain_db: row.ladder_gain_db,
  ladder_crf: row.ladder_crf,
  sounds: JSON.stringify(row.sounds),
  source_key: row.source_key,
  source_bytes: row.source_bytes,
  dropped_bytes: row.dropped_bytes,
  source_sha256: row.source_sha256,
  fingerprint: row.fingerprint,
  stored_bytes: row.stored_bytes,
  poster_key: row.poster_key,
  thumbnail_key: row.thumbnail_key,
  progressive_key: row.progressive_key,
  progressive_small_key: row.progressive_small_key,
  hls_key: row.hls_key,
  preview_key: row.preview_key,
  storyboard_key: row.storyboard_key,
  audio_key: row.audio_key,
});

/** Columns of the files that are only made again if a video is processed from the start. */
const withoutFirstFiles = {
  status: "processing",
  poster_key: null,
  thumbnail_key: null,
  progressive_key: null,
  progressive_small_key: null,
  preview_key: null,
} as const;

/**
 * Adds a row for reprocessing from the same source. Copies the files that aren't made again.
 * @param isComplete true to make all files again, not only the ladder.
 */
export async function insertReprocessing(
  trx: Trx,
  id: string,
  video: VideoRow,
  isComplete: boolean,
  by: Pick<
    Insertable<Database["video_replacements"]>,
    | ("uploaded_by" | "uploaded_by_email")
    | ("kept_parts" | "changes_cut" | "loudness" | "fingerprint")
  >,
): Promise<void> {
  await insertReplacement(trx, {
    ...partsOf(video),
    ...withoutSource,
    id,
    video_id: video.id,
    is_renewal: true,
    status: "ready",
    progress: 0,
    ...(isComplete ? withoutFirstFiles : {}),
    ...by,
    // Retries steps that failed with the old file.
    media_notices: video.media_notices.filter((notice) => !notice.startsWith("Couldn't make ")),
    skipped_files: [],
    // Empty, so that the steps that make these files run again.
    hls_key: null,
    storyboard_key: null,
    audio_key: null,
    ladder_crf: null,
    stored_bytes: 0,
  });
}

/** Returns video ids in ascending order, after `after`. */
export async function listVideoIds(
  db: DbOrTrx,
  { after, limit }: { after: string | null; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom("videos")
    .select("id")
    .$if(after !== null, (query) => query.where("id", ">", after ?? ""))
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Builds a query for these ids. */
export const videosWithIds = (ids: readonly string[]): RawBuilder<{ id: string }> =>
  sql<{ id: string }>`select id from videos where id = any(${[...ids]}::uuid[])`;

/** Cancels all reprocessing. @returns the number of videos. */
export async function deleteOpenReprocessing(db: DbOrTrx): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("video_replacements")
    .where("is_renewal", "=", true)
    .where("switched_at", "is", null)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

interface ReprocessingGroup {
  isReady: boolean;
  isInProgress: boolean;
  width: number | null;
  height: number | null;
  videos: number;
  durationS: number;
  storedBytes: number;
}

/** Returns sums of videos by state and size. @param ids query for ids; null for all videos. */
export async function sumForReprocessing(
  db: DbOrTrx,
  ids: RawBuilder<{ id: string }> | null,
): Promise<ReprocessingGroup[]> {
  const { rows } = await sql<ReprocessingGroup>`
    select v.status = 'ready' and coalesce(v.progress, 1) = 1 and r.id is null
        and v.dropped_bytes is null as "isReady",
      coalesce(r.is_renewal, false) as "isInProgress", v.width, v.height, count(*)::int as videos,
      sum(v.duration_s)::float8 as "durationS", sum(v.stored_bytes)::float8 as "storedBytes"
    from videos v left join video_replacements r
      on r.video_id = v.id and r.switched_at is null and r.status <> 'failed'
    where ${ids === null ? sql`true` : sql`v.id in (${ids})`}
    group by 1, 2, 3, 4`.execute(db);
  return rows;
}

const withoutSource = {
  source_key: null,
  source_bytes: null,
  dropped_bytes: null,
  source_sha256: null,
};

/**
 * Swaps the files of a video and its replacement.
 * @param own columns that differ from the new file.
 */
export async function exchangeFiles(
  trx: Trx,
  { video, next }: { video: VideoRow; next: ReplacementRow },
  own: { at: Date } & Updateable<VideosTable>,
): Promise<void> {
  const { at, ...parts } = own;
  const { source_key, source_bytes, dropped_bytes, source_sha256 } = video;
  await trx
    .updateTable("video_replacements")
    .set({
      ...partsOf(video),
      ...(next.is_renewal ? withoutSource : {}),
      progress: 1,
      switched_at: at,
    })
    .where("id", "=", next.id)
    .execute();
  await updateVideo(trx, video.id, {
    ...partsOf(next),
    ...(next.is_renewal ? { source_key, source_bytes, dropped_bytes, source_sha256 } : {}),
    ...parts,
    status: "ready",
    failure_reason: null,
    failures: 0,
    progress: 1,
  });
}
