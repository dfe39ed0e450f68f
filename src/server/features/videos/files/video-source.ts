import type { DbOrTrx } from "#server/db/connection.ts";
import { sourceKey } from "#server/storage/media-keys.ts";
import { findVideoRow, type VideoRow } from "../videos.repository.ts";

/** Returns the key of a video's source file. */
export const sourceKeyOf = (row: Pick<VideoRow, "id" | "source_key">): string =>
  row.source_key ?? sourceKey(row.id);

/** Returns the key of a source file by the video's id, even if the video has been deleted. */
export async function findSourceKey(db: DbOrTrx, videoId: string): Promise<string> {
  const row = await findVideoRow(db, videoId);
  return row === null ? sourceKey(videoId) : sourceKeyOf(row);
}

/** Returns the hashes of ten frames of a video, or null if it has none. */
export const findFingerprint = async (db: DbOrTrx, videoId: string): Promise<Buffer | null> =>
  (await findVideoRow(db, videoId))?.fingerprint ?? null;

/**
 * Returns the key of a file with the pictures of a video: its source or, if that was deleted after
 * its renditions were made, its progressive rendition.
 */
export async function findPicturesKey(db: DbOrTrx, videoId: string): Promise<string> {
  const row = await findVideoRow(db, videoId);
  if (row === null) return sourceKey(videoId);
  return (row.dropped_bytes === null ? null : row.progressive_key) ?? sourceKeyOf(row);
}

/** Returns the size and hash of a source file deleted after its renditions were made. */
export async function findDroppedSource(
  db: DbOrTrx,
  videoId: string,
): Promise<{ sha256: Buffer; sizeBytes: number } | null> {
  const row = await findVideoRow(db, videoId);
  if (row === null || row.dropped_bytes === null || row.source_sha256 === null) return null;
  return { sha256: row.source_sha256, sizeBytes: row.dropped_bytes };
}
