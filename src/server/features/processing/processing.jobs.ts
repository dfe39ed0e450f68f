import { z } from "zod";
import type { Config } from "#server/config.ts";
import { isDatabaseAway } from "#server/db/connection.ts";
import { backOffS } from "#server/jobs/back-off.ts";
import { defineJob, type AnyJobDefinition, type JobContext } from "#server/jobs/job-definition.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { StepName } from "#server/media/pipeline/process-video.ts";
import type { Logger } from "#server/lib/logger.ts";
import {
  isNewFile,
  type ProcessedVideo,
} from "#server/features/videos/processing-state/processed-video.ts";
import type { ReplacementsService } from "#server/features/videos/replacements/replacements.service.ts";
import { deleteVideoFiles } from "#server/features/videos/remove-videos.ts";
import { findOutsideCause, sourceMissing } from "#server/media/run/failure-causes.ts";
import type { CaptionsService } from "#server/features/captions/captions.service.ts";
import type { AutomaticCaptions } from "#server/features/captions/automatic-captions.ts";
import { countStoredBytes } from "./count-stored-bytes.ts";
import type { DroppedOriginals } from "./drop-original.jobs.ts";
import type { EfficientRenditions } from "./efficient.jobs.ts";
import { makeLarge } from "./ladder/make-large.ts";
import type { RunningJobs } from "./running-jobs.ts";
import { runSteps, type StepDeps } from "./run-steps.ts";

/**
 * A failure that only the file explains is final once it was seen this often while nothing else was
 * processed. Then the video stays failed until an admin retries it.
 */
const maxFailures = 2;
/** Attempts after which a cause that some files have too counts as that of the file. */
const patientAttempts = 12;
/** How long a video whose file is suspected waits for a moment without other work. */
const maxSuspectMs = 24 * 3600 * 1000;
/** Copies at once: they wait for the disk more than for a processor. */
const copyLanes = 3;

const payload = z.object({
  videoId: z.uuid(),
  waits: z.int().min(0).default(0),
  /** When the first of these attempts was ended. */
  waitingSince: z.iso.datetime().nullable().default(null),
  /** The file may be the cause: the next attempt needs a moment without other work. */
  isSuspect: z.boolean().default(false),
  /** The ladder is stored; its renditions above 1080 lines are not. */
  isLarge: z.boolean().default(false),
});
type Payload = z.infer<typeof payload>;

interface Deps extends StepDeps {
  logger: Logger;
  efficient: Pick<EfficientRenditions, "request">;
  dropped: Pick<DroppedOriginals, "request">;
  countFailure(result: "retried" | "given up"): void;
  running: RunningJobs;
  replacements: Pick<ReplacementsService, "complete">;
  captions: Pick<CaptionsService, "saveFound" | "refreshMaster" | "writeMaster">;
  automatic: Pick<AutomaticCaptions, "requestForNew">;
  config: Pick<Config, "mediaConcurrency">;
}

/**
 * From upload to every rendition. `video.publish` copies what browsers play as it is, and passes
 * everything else on: the encode of a first rendition and the images to `video.encode` or, where that
 * takes long, to `video.encode-long`, and the rest to `video.finish`. So copies never wait for
 * encodes, short encodes never for long ones or for images, and no first rendition for a ladder.
 * Renditions above 1080 lines follow in a job of their own. All skip the steps whose files exist, so
 * running again repeats little.
 */
export function createProcessingJobs(deps: Deps): AnyJobDefinition[] {
  const lanes = deps.config.mediaConcurrency;
  const encode = (name: "video.encode" | "video.encode-long"): AnyJobDefinition =>
    defineJob({
      name,
      payload,
      concurrency: lanes,
      run: (job, context) =>
        attempt(deps, job, context, async (video, signal) => {
          if (video.status === "failed") return;
          const made = await runSteps(deps, video, { signal }, [
            "playable",
            "captions",
            "pictures",
          ]);
          await deps.state.queueFinish(video.id, made?.estimate.ladderS ?? 0);
        }),
    });
  return [
    defineJob({
      name: "video.publish",
      payload,
      concurrency: copyLanes,
      run: (job, context) =>
        attempt(deps, job, context, async (video, signal) => {
          if (video.status === "failed") return;
          const options = { isCopyOnly: true };
          const made = await runSteps(deps, video, { signal }, ["playable"], options);
          const estimate = made?.estimate ?? { quickS: 0, picturesS: 0 };
          const isPlayable = made?.isEncodeNeeded !== true;
          const estimateS = (isPlayable ? 0 : estimate.quickS) + estimate.picturesS;
          const { waits, waitingSince, isSuspect } = job;
          const plan = { estimateS, waits, waitingSince, isSuspect, isPlayable };
          await deps.state.queueEncode(video.id, plan);
        }),
    }),
    encode("video.encode"),
    encode("video.encode-long"),
    defineJob({
      name: "video.finish",
      payload,
      concurrency: lanes,
      run: (job, context) =>
        attempt(deps, job, context, async (video, signal) => {
          if (video.status !== "ready") return;
          if (job.isLarge) return finishLarge(deps, video, signal);
          const steps: StepName[] = ["captions", "pictures", "ladder", "extras"];
          const made = await runSteps(deps, video, { signal }, steps);
          if (made === null) return finishLarge(deps, video, signal);
          const { largeS } = made.estimate;
          if (largeS === 0) return finish(deps, video);
          // What plays is complete up to 1080 lines; other ladders go before the rest.
          return deps.state.queueLarge(video, largeS);
        }),
    }),
  ];
}

/** Runs a job's work and decides what a failure means. A video that is removed leaves nothing. */
async function attempt(
  deps: Deps,
  job: Payload,
  { signal }: JobContext,
  work: (video: ProcessedVideo, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { state, running } = deps;
  const video = await state.find(job.videoId);
  if (video === null) return;
  const wasAlone = running.watch();
  const isPatient = !isOlderThan(job.waitingSince, maxSuspectMs);
  if (job.isSuspect && isPatient && (!wasAlone() || (await state.hasOtherWork()))) {
    return state.wait(video, { ...nextWait(job), failures: video.failures, isSuspect: true });
  }
  try {
    await running.run(video, signal, (either) => work(video, either));
  } catch (error) {
    // A stop, or a database that is away, says nothing about the video.
    if (signal.aborted || isDatabaseAway(error)) throw error;
    const current = await state.find(video.id);
    const isIdle = !isPatient || (wasAlone() && !(await state.hasOtherWork()));
    if (current !== null) await decide(deps, { job, video: current, isIdle }, error);
  }
  // What was stored after the removal.
  if (await state.isGone(video)) await deleteVideoFiles(deps, [video]);
}

const isOlderThan = (time: string | null, ms: number): boolean =>
  time !== null && Date.now() - Date.parse(time) > ms;

/** When the next attempt follows, and since when the video waits. */
function nextWait({ waits, waitingSince }: Payload) {
  return {
    waits: waits + 1,
    waitingSince: waitingSince ?? new Date().toISOString(),
    startAfterS: backOffS(waits),
  };
}

/** "2026-11-24 14:05 UTC" */
const formatMinute = (time: string): string => `${time.slice(0, 16).replace("T", " ")} UTC`;

/** Tries again, or tells the operator why not. */
async function decide(
  deps: Deps,
  { job, video, isIdle }: { job: Payload; video: ProcessedVideo; isIdle: boolean },
  error: unknown,
): Promise<void> {
  const { state, storage, logger, countFailure } = deps;
  const source = await storage.findStat(video.sourceKey).catch(() => undefined);
  const cause = source === null ? sourceMissing : findOutsideCause(error);
  const wait = nextWait(job);
  const since = `Waiting since ${formatMinute(wait.waitingSince)}.`;
  const isOfFile = cause?.isOfSomeFiles === true && isIdle && job.waits >= patientAttempts;
  if (cause !== null && !isOfFile) {
    const { startAfterS } = wait;
    logger.warn({ err: error, videoId: video.id, cause: cause.name, startAfterS }, "waits");
    countFailure("retried");
    const reason = `${cause.explanation} ${since} It will be retried automatically.`;
    return state.wait(video, { ...wait, failures: video.failures, reason });
  }
  const failures = video.failures + (isIdle ? 1 : 0);
  logger.warn({ err: error, videoId: video.id, failures, isIdle }, "processing failed");
  const explanation =
    error instanceof AppError ? error.message : (cause?.explanation ?? "Processing failed.");
  if (failures < maxFailures && !isOfFile) {
    countFailure("retried");
    const reason = `${explanation} ${since} It will be retried once more when the queue is empty.`;
    return state.wait(video, { ...wait, failures, reason, isSuspect: true });
  }
  countFailure("given up");
  if (video.files.hls_master !== null && video.files.storyboard !== null) {
    // What plays is complete up to 1080 lines.
    await state.saveFiles(video.id, [], {
      addedNotices: [`Renditions above 1080 lines could not be made. ${explanation}`],
    });
    return finish(deps, video);
  }
  const reason =
    error instanceof AppError
      ? error.message
      : "The video couldn't be processed. Retry, or upload it in another format.";
  return state.giveUp(video, failures, reason);
}

async function finishLarge(deps: Deps, video: ProcessedVideo, signal: AbortSignal): Promise<void> {
  await makeLarge(deps, video, signal);
  return finish(deps, video);
}

/**
 * Records how many bytes the files in use have, and that nothing is left to do. A new file takes the
 * place of the old one.
 */
async function finish(deps: Deps, { id }: ProcessedVideo): Promise<void> {
  const { state, storage } = deps;
  const video = await state.find(id);
  if (video === null) return;
  const storedBytes = await countStoredBytes(storage, video);
  const { durationS, videoId } = video;
  if (isNewFile(video)) {
    const master = (hlsKey: string) => deps.captions.writeMaster(videoId, { hlsKey, durationS });
    await deps.replacements.complete(video, { storedBytes, master });
  } else await state.finish(id, storedBytes);
  if (!isNewFile(video) || video.isRenewal) await deps.automatic.requestForNew(videoId);
  // Before the original goes.
  await deps.efficient.request(videoId);
  await deps.dropped.request(videoId);
}
