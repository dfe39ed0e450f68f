import { createReadStream } from "node:fs";
import { clipLimits } from "#contract/videos/clip-limits.ts";
import { AppError } from "#server/lib/app-error.ts";
import { hashOf } from "#server/lib/ids.ts";
import type { Media } from "#server/media/media.ts";
import { createStepFolder, sourceKey } from "#server/storage/media-keys.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { CaptionsService } from "#server/features/captions/captions.service.ts";
import type { BlockedFilesService } from "#server/features/moderation/blocked-files.service.ts";
import { withBestRendition } from "#server/features/videos/files/best-rendition.ts";
import type { ProcessedVideo } from "#server/features/videos/processing-state/processed-video.ts";
import type { ProcessingStateService } from "#server/features/videos/processing-state/processing-state.service.ts";
import type { ThumbnailService } from "#server/features/videos/thumbnail.service.ts";

interface Deps {
  storage: Storage;
  media: Media;
  state: ProcessingStateService;
  captions: CaptionsService;
  thumbnails: ThumbnailService;
  blockedFiles: BlockedFilesService;
}

/** Share of the progress until a clip's file is stored. */
const sourceShare = 0.1;

/**
 * Makes the file of a clip from its long video and stores it as the clip's source. If browsers play
 * the file, it also becomes the clip's first playable file. After a crash, the next run makes or
 * publishes whatever is missing.
 * @returns notices for the video's page.
 * @throws AppError unusable_video if the long video or the chosen captions no longer exist.
 */
export async function makeClipSource(
  { storage, media, state, captions, thumbnails, blockedFiles }: Deps,
  video: ProcessedVideo,
  clip: NonNullable<ProcessedVideo["clip"]>,
  signal: AbortSignal,
): Promise<string[]> {
  const { plan, passage, long } = clip;
  if (long === null) {
    throw new AppError(
      "unusable_video",
      "The video that this clip was to be made from is in the trash or deleted.",
    );
  }
  if (passage.endS - passage.startS < clipLimits.minS - 0.001) {
    throw new AppError("unusable_video", "The passage of this clip was cut out of its video.");
  }
  if (long.sha256 !== null) await blockedFiles.refuse(long.sha256);
  const { captionId } = plan;
  const tracks = captionId === null ? [] : (await captions.list(long.id)).captions;
  if (captionId !== null && !tracks.some(({ id }) => id === captionId)) {
    throw new AppError(
      "unusable_video",
      "The captions chosen for this clip no longer exist. Make the clip again.",
    );
  }
  const lines = captionId === null ? null : await captions.get(long.id, captionId);
  await using scratch = await storage.createScratch();
  const workDir = `${scratch.path}/work`;
  const make = async (sourcePath: string) =>
    media.makeClip({
      sourcePath,
      facts: await media.probe(sourcePath, signal),
      keptParts: long.keptParts,
      workDir,
      passage,
      framing: plan.framing,
      captions: lines?.lines ?? null,
      thumbnailAtS: plan.thumbnailS === null ? null : plan.thumbnailS - passage.startS,
      signal,
      onProgress: (share) =>
        void state.reportProgress(video.id, share * sourceShare).catch(() => undefined),
    });
  const made =
    long.sourceKey === null
      ? await withBestRendition({ storage, media }, long.files, make, signal)
      : await storage.withLocalFile(long.sourceKey, make, signal);
  if (made === null) {
    throw new AppError(
      "unusable_video",
      "The video that this clip was to be made from has no files.",
    );
  }
  const sha256 = await hashOf(createReadStream(made.path));
  const thumbnailKey =
    made.thumbnailPath === null
      ? null
      : await thumbnails.store(video.mediaToken, made.thumbnailPath, { isPoster: true });
  const { durationS, width, height } = made;
  const playableKey = `${createStepFolder(video.mediaToken)}original.mp4`;
  if (made.isPlayable) await storage.putFile(playableKey, made.path, { signal });
  const key = sourceKey(video.id);
  const { sizeBytes } = await storage.putFile(key, made.path, { consume: true, signal });
  const source = { key, sizeBytes, sha256, thumbnailKey, durationS, width, height };
  await state.saveClipSource(video.id, source);
  if (made.isPlayable) {
    const shown = { durationS, width, height, notices: [], chapters: [], gainDb: 0 };
    await state.savePlayable(video.id, [{ role: "progressive", key: playableKey }], shown);
  }
  return made.notices;
}
