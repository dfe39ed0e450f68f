import { sql, type ExpressionBuilder, type Updateable } from "kysely";
import type { DbOrTrx } from "#server/db/connection.ts";
import type { Database } from "#server/db/schema.ts";
import { ownPosterKey } from "#server/storage/media-keys.ts";
import { filesOf, sourceKeyOf } from "../files/video-files.ts";
import { findVideoRow, updateVideo, type VideoRow } from "../videos.repository.ts";
import type { ProcessedVideo } from "./processed-video.ts";

// The processed item is a video or its new file, which has a separate id.

type Changes = Omit<
  Updateable<Database["video_replacements"]>,
  | ("id" | "video_id" | "uploaded_by" | "uploaded_by_email" | "created_at" | "switched_at")
  | ("is_renewal" | "changes_cut")
>;

export async function findProcessed(db: DbOrTrx, id: string): Promise<ProcessedVideo | null> {
  const own = await findVideoRow(db, id);
  const next = own === null ? await findOpenReplacement(db, id) : null;
  const video = next === null ? own : await findVideoRow(db, next.video_id);
  if (video === null) return null;
  const row = next ?? video;
  const isReprocessing = next?.is_renewal === true;
  return {
    id,
    videoId: video.id,
    mediaToken: video.media_token,
    isReprocessing,
    sourceKey: sourceKeyOf(isReprocessing ? video : row),
    status: row.status,
    failures: row.failures,
    progress: row.progress,
    keptParts: row.kept_parts,
    changesCut: next?.changes_cut === true,
    durationS: row.duration_s,
    width: row.width,
    height: row.height,
    files: filesOf(row),
    skipped: row.skipped_files,
    loudness: row.loudness,
    ladderCrf: row.ladder_crf,
    ladderGainDb: row.ladder_gain_db,
    captions: video.captions,
    clip: next === null ? await findClip(db, video) : null,
  };
}

async function findClip(db: DbOrTrx, row: VideoRow): Promise<ProcessedVideo["clip"]> {
  if (row.clip_plan === null) return null;
  const long = row.clip_of === null ? null : await findVideoRow(db, row.clip_of);
  return {
    plan: row.clip_plan,
    passage: { startS: row.clip_start_s ?? 0, endS: row.clip_end_s ?? 0 },
    long: long === null ? null : longVideoOf(long),
  };
}

function longVideoOf(row: VideoRow): NonNullable<ProcessedVideo["clip"]>["long"] {
  const hasSource = row.dropped_bytes === null || row.source_bytes !== null;
  return {
    id: row.id,
    sourceKey: hasSource ? sourceKeyOf(row) : null,
    keptParts: hasSource ? row.kept_parts : null,
    files: filesOf(row),
    sha256: row.source_sha256,
  };
}

function findOpenReplacement(db: DbOrTrx, id: string) {
  return db
    .selectFrom("video_replacements")
    .selectAll()
    .where("id", "=", id)
    .where("switched_at", "is", null)
    .executeTakeFirst()
    .then((row) => row ?? null);
}

/** @returns the id of the video. */
export async function updateProcessed(db: DbOrTrx, id: string, values: Changes): Promise<string> {
  const replacement = await db
    .updateTable("video_replacements")
    .set(values)
    .where("id", "=", id)
    .where("switched_at", "is", null)
    .returning("video_id")
    .executeTakeFirst();
  if (replacement !== undefined) return replacement.video_id;
  await updateVideo(db, id, values);
  return id;
}

/** Finished file of a clip. */
export interface ClipSource {
  key: string;
  sizeBytes: number;
  sha256: Buffer;
  thumbnailKey: string | null;
  durationS: number;
  width: number;
  height: number;
}

export async function saveClipSource(db: DbOrTrx, id: string, source: ClipSource): Promise<void> {
  await updateVideo(db, id, {
    clip_plan: null,
    source_key: source.key,
    source_bytes: source.sizeBytes,
    source_sha256: source.sha256,
    duration_s: source.durationS,
    width: source.width,
    height: source.height,
    // An editor chose this picture, so it is also what the player shows.
    ...(source.thumbnailKey === null
      ? {}
      : {
          thumbnail_key: source.thumbnailKey,
          poster_key: ownPosterKey(source.thumbnailKey),
        }),
  });
}

/** Writes the progress unless processing has ended. Reports may arrive late. */
export async function updateProgress(db: DbOrTrx, id: string, progress: number): Promise<void> {
  await db
    .updateTable("videos")
    .set({ progress, updated_at: new Date() })
    .where("id", "=", id)
    .where("progress", "<", 1)
    .execute();
  await db
    .updateTable("video_replacements")
    .set({ progress })
    .where("id", "=", id)
    .where("progress", "<", 1)
    .execute();
}

const isUnfinished = (eb: ExpressionBuilder<Database, "videos" | "video_replacements">) =>
  eb.or([
    eb("status", "=", "processing"),
    eb.and([eb("status", "=", "ready"), eb("progress", "<", 1)]),
  ]);

export async function listUnfinished(
  db: DbOrTrx,
): Promise<(Pick<VideoRow, "id" | "status"> & { isReprocessing: boolean })[]> {
  return db
    .selectFrom("videos")
    .select(["id", "status", sql<boolean>`false`.as("isReprocessing")])
    .where(isUnfinished)
    .unionAll(
      db
        .selectFrom("video_replacements")
        .select(["id", "status", "is_renewal as isReprocessing"])
        .where("switched_at", "is", null)
        .where(isUnfinished),
    )
    .execute();
}

/** Adds the values that a column of the video doesn't contain yet. */
export async function addValues(
  db: DbOrTrx,
  id: string,
  column: "media_notices" | "skipped_files",
  values: readonly string[],
): Promise<void> {
  if (values.length === 0) return;
  for (const table of ["videos", "video_replacements"]) {
    await sql`
      update ${sql.table(table)} set ${sql.ref(column)} = ${sql.ref(column)} || array(
        select value from unnest(${[...values]}::text[]) as value
        where value <> all(${sql.ref(column)}))
      where id = ${id}`.execute(db);
  }
}
