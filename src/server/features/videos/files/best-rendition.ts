import { posix } from "node:path";
import { efficientFolder, hdrFolder } from "#server/media/plan/ladder.ts";
import { audioName } from "#server/media/plan/sounds.ts";
import type { Media } from "#server/media/media.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { VideoFiles } from "./video-files.ts";

/**
 * Calls `work` with a local file of the best rendition of a video whose original is deleted: the
 * copy of the original, or else the largest rendition of the ladder with the main sound.
 * @param work may move the file if `isCopy` is true, because it is temporary then.
 * @returns null if there is none.
 */
export async function withBestRendition<T>(
  { storage, media }: { storage: Storage; media: Media },
  files: Pick<VideoFiles, "progressive" | "hls_master">,
  work: (path: string, options: { isCopy: boolean }) => Promise<T>,
  signal?: AbortSignal,
): Promise<T | null> {
  const copy = files.progressive;
  const isOriginal = copy?.endsWith("/original.mp4") === true;
  const ladder =
    isOriginal || files.hls_master === null ? null : await findLargest(storage, files.hls_master);
  if (ladder !== null) {
    await using scratch = await storage.createScratch();
    const target = `${scratch.path}/joined.mp4`;
    const join = (videoPath: string, audioPath: string | null) =>
      media.joinTracks({ videoPath, audioPath, target, signal });
    await storage.withLocalFile(
      ladder.videoKey,
      (videoPath) =>
        ladder.audioKey === null
          ? join(videoPath, null)
          : storage.withLocalFile(
              ladder.audioKey,
              (audioPath) => join(videoPath, audioPath),
              signal,
            ),
      signal,
    );
    return await work(target, { isCopy: true });
  }
  return copy === null
    ? null
    : storage.withLocalFile(copy, (path) => work(path, { isCopy: false }), signal);
}

/** Finds the largest H.264 rendition of a ladder and its main sound. */
async function findLargest(
  storage: Storage,
  hlsKey: string,
): Promise<{ videoKey: string; audioKey: string | null } | null> {
  const folder = `${posix.dirname(hlsKey)}/`;
  let best: { key: string; side: number } | null = null;
  let audioKey: string | null = null;
  for await (const { key } of storage.list(folder)) {
    const name = key.slice(folder.length);
    if (name === `${audioName}.mp4`) audioKey = key;
    const side = Number(/(?:^|\/)v(\d+)\.mp4$/.exec(name)?.[1] ?? 0);
    const isH264 = !name.startsWith(efficientFolder) && !name.startsWith(hdrFolder);
    if (isH264 && side > (best?.side ?? 0)) best = { key, side };
  }
  return best === null ? null : { videoKey: best.key, audioKey };
}
