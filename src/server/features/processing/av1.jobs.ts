import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { isDatabaseUnreachable, type Db } from "#server/db/connection.ts";
import { queueAgain, defineJob, type JobQueue } from "#server/jobs/queue.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Media } from "#server/media/media.ts";
import { skipReason } from "#server/media/plan/av1.ts";
import { stepFolder } from "#server/storage/media-keys.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { CaptionsService } from "#server/features/captions/captions.service.ts";
import type { StoredFiles } from "#server/features/videos/files/stored-files.service.ts";
import type { ProcessedVideo } from "#server/features/videos/processing-state/processed-video.ts";
import type { ProcessingStateService } from "#server/features/videos/processing-state/processing-state.service.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import { findOutsideCause } from "#server/media/run/failure-causes.ts";
import { makeAv1 } from "./ladder/make-av1.ts";
import type { RunningJobs } from "./running-jobs.ts";

const name = "video.efficient";
/** Interval for checking whether other videos are being processed. */
const lookEveryMs = 10_000;
/** Delay after an attempt failed for an external reason, and maximum number of such delays. */
const waitS = 600;
const maxWaits = 6;

interface Deps {
  db: Db;
  queue: JobQueue;
  storage: Storage;
  media: Media;
  state: ProcessingStateService;
  storedFiles: StoredFiles;
  captions: CaptionsService;
  settings: SettingsService;
  running: RunningJobs;
  logger: Logger;
}

/**
 * Creates the job that adds AV1 renditions. It starts only while no other video is or could be
 * processed, one at a time per process, at the lowest priority. Playback doesn't change until the
 * job ends with a new playlist.
 */
export function createAv1Renditions(deps: Deps) {
  const { db, queue, state, settings } = deps;
  return {
    /** Requests AV1 renditions once all other renditions of a video are done. */
    async request(videoId: string): Promise<void> {
      if (await settings.wantsEfficient())
        await queue.enqueue(db, name, { videoId }, { key: videoId });
    },

    job: defineJob({
      name,
      payload: z.object({ videoId: z.uuid(), waits: z.int().min(0).default(0) }),
      concurrency: 1,
      async run({ videoId, waits }, { signal }) {
        while (await state.isBusy()) await wait(lookEveryMs, undefined, { signal });
        // The settings may have changed in the meantime.
        if (!(await settings.wantsEfficient())) return;
        const video = await state.find(videoId);
        if (video === null || video.status !== "ready" || video.progress !== 1) return;
        await deps.storedFiles.withoutLeftovers(video, async () => {
          try {
            await deps.running.run(video, signal, (either) => make(deps, video, either));
          } catch (error) {
            if (signal.aborted || isDatabaseUnreachable(error)) throw error;
            if (await isCurrent(state, video)) await decide(deps, video, waits, error);
          }
        });
        // A request for new files has the same key, so it was dropped while this job was running.
        if (!(await isCurrent(state, video))) {
          await queueAgain(deps, name, { videoId, waits }, 0);
        }
      },
    }),
  };
}

/** Makes AV1 renditions in addition to H.264, if the settings ask for them. */
export type Av1Renditions = ReturnType<typeof createAv1Renditions>;

async function make(deps: Deps, video: ProcessedVideo, signal: AbortSignal): Promise<void> {
  const { state, storedFiles } = deps;
  const { hasRenditions, reasons } = await makeAv1(deps, video, signal);
  if (!(await isCurrent(state, video))) return;
  if (reasons.length > 0) await state.saveFiles(video.id, [], { addedNotices: reasons });
  const current = hasRenditions ? await state.find(video.id) : null;
  if (current === null) return;
  await state.saveStoredBytes(video.id, await storedFiles.countBytes(current));
}

/** Returns whether a video still has the ladder that the job works on. */
async function isCurrent(
  state: ProcessingStateService,
  { id, files }: ProcessedVideo,
): Promise<boolean> {
  const current = await state.find(id);
  if (current === null) return false;
  return stepFolder(current.files.hls_master ?? "") === stepFolder(files.hls_master ?? "");
}

/** Retries environmental failures. Reports all others. */
async function decide(
  deps: Deps,
  { id, videoId }: ProcessedVideo,
  waits: number,
  error: unknown,
): Promise<void> {
  const { state, logger } = deps;
  logger.warn({ err: error, videoId, waits }, "no AV1 renditions");
  if (findOutsideCause(error) !== null && waits < maxWaits) {
    return queueAgain(deps, name, { videoId, waits }, waitS);
  }
  await state.saveFiles(id, [], { addedNotices: [skipReason("AV1", "making them failed")] });
}
