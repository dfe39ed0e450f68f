import { videoFolderEntry, videoFolder } from "#server/storage/media-keys.ts";
import type { Storage } from "#server/storage/storage.ts";
import { entriesInUse } from "#server/features/videos/files/video-files.ts";
import type { ProcessedVideo } from "#server/features/videos/processing-state/processed-video.ts";

/** Returns the size in bytes of a video's files in use, without the original. */
export async function countStoredBytes(
  storage: Pick<Storage, "list">,
  { files, captions, mediaToken }: ProcessedVideo,
): Promise<number> {
  const inUse = entriesInUse(files, captions);
  let storedBytes = 0;
  for await (const { key, sizeBytes } of storage.list(videoFolder(mediaToken))) {
    if (inUse.has(videoFolderEntry(key))) storedBytes += sizeBytes;
  }
  return storedBytes;
}
