import type { Selectable } from "kysely";
import type { VideosTable } from "#server/db/videos-schema.ts";
import type { StoredCaption } from "#server/db/stored-caption.ts";
import type { MediaRole } from "#server/media/pipeline/media-file.ts";
import { videoFolderEntry } from "#server/storage/media-keys.ts";

/** Columns with the keys of a video's files. All other files are found through these. */
export const fileColumns = {
  progressive: "progressive_key",
  progressive_small: "progressive_small_key",
  hls_master: "hls_key",
  poster: "poster_key",
  thumbnail: "thumbnail_key",
  preview: "preview_key",
  storyboard: "storyboard_key",
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
  };
}

/** Returns the entries of a video's folder that contain these files; see `videoFolderEntry`. */
export function entriesInUse(
  files: VideoFiles,
  captions: readonly Pick<StoredCaption, "key">[],
): Set<string> {
  const keys = [...Object.values(files), ...captions.map(({ key }) => key)];
  return new Set(keys.flatMap((key) => (key === null ? [] : [videoFolderEntry(key)])));
}
