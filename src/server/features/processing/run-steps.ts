import { mkdir } from "node:fs/promises";
import type { CaptionsService } from "#server/features/captions/captions.service.ts";
import type { BlockedFilesService } from "#server/features/moderation/blocked-files.service.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import {
  isNewFile,
  type ProcessedVideo,
} from "#server/features/videos/processing-state/processed-video.ts";
import type {
  ProcessingStateService,
  StoredFile,
} from "#server/features/videos/processing-state/processing-state.service.ts";
import type { JobContext } from "#server/jobs/queue.ts";
import type { Media } from "#server/media/media.ts";
import type { MediaFile, MediaRole } from "#server/media/pipeline/pipeline-context.ts";
import type { ProcessJob, ProcessResult, StepName } from "#server/media/pipeline/process-video.ts";
import { createStepFolder, isOwnThumbnail } from "#server/storage/media-keys.ts";
import type { Storage } from "#server/storage/storage.ts";

export interface StepDeps {
  storage: Storage;
  media: Media;
  state: ProcessingStateService;
  settings: SettingsService;
  captions: CaptionsService;
  blockedFiles: BlockedFilesService;
}

/** Minimum time between two writes of the progress. */
const progressEveryMs = 1000;
const allSteps = [
  "playable",
  "captions",
  "pictures",
  "ladder",
  "extras",
] as const satisfies StepName[];

/**
 * Runs the requested steps whose files don't exist yet, and stores their output.
 * @returns null if there was nothing to do.
 */
export async function runSteps(
  deps: StepDeps,
  video: ProcessedVideo,
  { signal }: JobContext,
  wanted: StepName[],
  options: Pick<ProcessJob, "onlyCopies"> = {},
): Promise<Pick<ProcessResult, "needsEncode" | "estimate"> | null> {
  const { storage, media, state, captions } = deps;
  const done = doneSteps(video);
  for (const step of allSteps) if (!wanted.includes(step)) done.add(step);
  if (done.size === allSteps.length) return null;
  await using scratch = await storage.createScratch();
  const workDir = `${scratch.path}/work`;
  await mkdir(workDir);
  let reportedAt = 0;
  /** The largest rendition of the ladder. */
  let top: Size | null = null;

  // Awaited here, because the folder is deleted when this function ends.
  return await storage.withLocalFile(
    video.sourceKey,
    async (sourcePath) => {
      const facts = await media.probe(sourcePath, signal);
      const result = await media.process({
        sourcePath,
        facts,
        keptParts: video.keptParts,
        workDir,
        done,
        loudness: video.loudness,
        normalizesLoudness: (await deps.settings.current()).evenLoudness,
        ladderCrf: video.ladderCrf,
        ...options,
        signal,
        hooks: {
          onLoudness: (loudness) => state.saveLoudness(video.id, loudness),
          onQuality: (crf) => state.saveQuality(video.id, crf),
          async onPlayable(output) {
            // No later step reads the copied file.
            const consume = output.kind === "copy";
            const files = await storeFiles(storage, video, output.files, { consume });
            await state.savePlayable(video.id, files, output);
          },
          async onCaptions({ tracks, notices }) {
            const found = tracks.map((track) => ({
              ...track,
              track: track.index,
              name: track.title,
            }));
            // If the file replaces another one, the video's captions stay unchanged. A draft of a
            // cut has copies of the captions that its video still had.
            if (!isNewFile(video) && video.keptParts === null)
              await captions.saveFound(video.id, "file", found);
            if (notices.length > 0) await state.saveFiles(video.id, [], { addedNotices: notices });
          },
          async onPictures(output) {
            // Pictures that a user has chosen take precedence.
            const { thumbnail, poster } = video.files;
            const files = output.files.filter(
              ({ role }) =>
                !(isThumbnail(role) && thumbnail !== null) &&
                !(role === "poster" && isOwnThumbnail(poster)),
            );
            const { fingerprint, skipped, notices } = output;
            await state.saveFiles(video.id, await storeFiles(storage, video, files), {
              ...{ fingerprint, skipped, addedNotices: notices },
            });
            if (!video.isReprocessing)
              await deps.blockedFiles.reportSimilar(video.videoId, fingerprint);
          },
          async onLadder(output) {
            const [largest] = output.rungs;
            if (largest !== undefined) top = largest;
            const files = await storeFiles(storage, video, output.files);
            await state.saveFiles(video.id, files, {
              size: isLarger(top, video) ? sizeOf(top) : undefined,
              addedNotices: output.notices,
              ladderGainDb: output.gainDb,
              sounds: output.sounds,
            });
            if (!isNewFile(video)) await captions.refreshMaster(video.id);
          },
          async onExtras(output) {
            const { replaced, skipped, notices } = output;
            const files = await storeFiles(storage, video, output.files);
            await state.saveFiles(video.id, files, {
              ...{ skipped, addedNotices: notices },
              // The copy was replaced and no longer plays.
              size: replaced?.isSmall === true ? sizeOf(top) : undefined,
              fileGainDb: replaced?.gainDb,
            });
          },
          onProgress(progress) {
            const now = Date.now();
            if (now - reportedAt < progressEveryMs || signal.aborted) return;
            reportedAt = now;
            state.reportProgress(video.id, Math.min(0.99, progress)).catch(() => undefined);
          },
        },
      });
      const [problem] = result.problems;
      if (problem !== undefined) throw new Error(problem.message, { cause: problem.cause });
      return result;
    },
    signal,
  );
}

const isThumbnail = (role: MediaRole): boolean =>
  role === "thumbnail" || role === "thumbnail_variant";

interface Size {
  width: number;
  height: number;
}

const sizeOf = (size: Size | null): Size | undefined =>
  size === null ? undefined : { width: size.width, height: size.height };

function isLarger(size: Size | null, { width, height }: ProcessedVideo): boolean {
  return size !== null && size.width * size.height > (width ?? 0) * (height ?? 0);
}

/** Returns the steps whose files already exist or can't be made. */
function doneSteps({ files, skipped }: ProcessedVideo): Set<StepName> {
  const done = new Set<StepName>();
  const isDone = (role: keyof typeof files) => files[role] !== null || skipped.includes(role);
  if (isDone("progressive")) done.add("playable");
  if (isDone("poster") && isDone("preview")) done.add("captions").add("pictures");
  if (isDone("hls_master") && isDone("storyboard")) done.add("ladder").add("extras");
  return done;
}

/**
 * Stores the files of one step in a new folder, so that the content of a public address never
 * changes.
 */
async function storeFiles(
  storage: Storage,
  { mediaToken }: ProcessedVideo,
  files: MediaFile[],
  { consume = false }: { consume?: boolean } = {},
): Promise<StoredFile[]> {
  const folder = createStepFolder(mediaToken);
  const stored: StoredFile[] = [];
  for (const { role, name, path } of files) {
    const { key } = await storage.putFile(folder + name, path, { consume });
    stored.push({ role, key });
  }
  return stored;
}
