import type { Selectable } from "kysely";
import type { KeptPart } from "#contract/videos/kept-parts.ts";
import type { VideosTable } from "#server/db/schema.ts";
import type { DbOrTrx } from "#server/db/connection.ts";
import type { StoredCaption } from "#server/db/stored-caption.ts";
import type { MediaRole } from "#server/media/pipeline/pipeline-context.ts";
import { sourceKey, videoFolderEntry } from "#server/storage/media-keys.ts";
import { findVideoRow, type VideoRow } from "../videos.repository.ts";

/** Columns with the keys of a video's files. All other files are found through these. */
export const fileColumns = {
  progressive: "progressive_key",
  progressive_small: "progressive_small_key",
  hls_master: "hls_key",
  poster: "poster_key",
  thumbnail: "thumbnail_key",
  preview: "preview_key",
  storyboard: "storyboard_key",
  audio: "audio_key",
} as const satisfies Partial<Record<MediaRole, keyof VideosTable>>;

type FileRole = keyof typeof fileColumns;

/** Storage keys of a video's files; null for a file that does not exist. */
export type VideoFiles = Record<FileRole, string | null>;

export const hasFileColumn = (role: MediaRole): role is FileRole => role in fileColumns;

type FileColumns = Pick<Selectable<VideosTable>, (typeof fileColumns)[FileRole]>;

export function filesOf(row: FileColumns): VideoFiles {
  return {
    progressive: row.progressive_key,
    progressive_small: row.progressive_small_key,
    hls_master: row.hls_key,
    poster: row.poster_key,
    thumbnail: row.thumbnail_key,
    preview: row.preview_key,
    storyboard: row.storyboard_key,
    audio: row.audio_key,
  };
}

/** Returns the entries of a video's folder that contain these files; see `videoFolderEntry`. */
export function entriesInUse(files: VideoFiles, captions: readonly StoredCaption[]): Set<string> {
  const keys = [...Object.values(files), ...captions.map(({ key }) => key)];
  return new Set(keys.flatMap((key) => (key === null ? [] : [videoFolderEntry(key)])));
}

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
 * its renditions were made, its progressive rendition. Also returns the parts of it that play.
 */
export async function findPictures(
  db: DbOrTrx,
  videoId: string,
): Promise<{ key: string; keptParts: readonly KeptPart[] | null }> {
  const row = await findVideoRow(db, videoId);
  if (row === null) return { key: sourceKey(videoId), keptParts: null };
  const rendition = row.dropped_bytes === null ? null : row.progressive_key;
  if (rendition !== null) return { key: rendition, keptParts: null };
  return { key: sourceKeyOf(row), keptParts: row.kept_parts };
}

/** Returns the size and hash of a source file, or null if they aren't stored. */
export async function findStoredHash(
  db: DbOrTrx,
  videoId: string,
): Promise<{ sha256: Buffer; sizeBytes: number } | null> {
  const row = await findVideoRow(db, videoId);
  const sizeBytes = row?.dropped_bytes ?? row?.source_bytes ?? null;
  if (row === null || sizeBytes === null || row.source_sha256 === null) return null;
  return { sha256: row.source_sha256, sizeBytes };
}
