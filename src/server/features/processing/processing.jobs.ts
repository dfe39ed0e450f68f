import { z } from "zod";
import type { Config } from "#server/config.ts";
import { backOffS, defineJob, type AnyJobDefinition, type JobContext } from "#server/jobs/queue.ts";
import { isDatabaseUnreachable } from "#server/db/connection.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { StepName } from "#server/media/pipeline/process-video.ts";
import type { Logger } from "#server/lib/logger.ts";
import {
  isNewFile,
  type ProcessedVideo,
} from "#server/features/videos/processing-state/processed-video.ts";
import type { ThumbnailService } from "#server/features/videos/thumbnail.service.ts";
import type { ReplacementsService } from "#server/features/videos/replacements/replacements.service.ts";
import type { OriginalsService } from "#server/features/videos/files/originals.service.ts";
import type { StoredFiles } from "#server/features/videos/files/stored-files.service.ts";
import { findOutsideCause, sourceMissing } from "#server/media/run/failure-causes.ts";
import { UnverifiedOutputError } from "#server/media/run/media-process-error.ts";
import type { CaptionsService } from "#server/features/captions/captions.service.ts";
import type { AutomaticCaptions } from "#server/features/captions/automatic-captions.ts";
import type { Av1Renditions } from "./av1.jobs.ts";
import { makeClipSource } from "./make-clip-source.ts";
import { makeLarge } from "./ladder/make-large.ts";
import { runSteps, type StepDeps } from "./run-steps.ts";
import type { RunningJobs } from "./running-jobs.ts";

/**
 * After this many failures while no other video is being processed, only the file can be the cause.
 * The video then stays failed until an admin retries it.
 */
const maxFailures = 2;
/** After this many attempts, a cause that may lie in the file counts as the file's fault. */
const patientAttempts = 12;
/** Maximum time that a suspected video waits for a moment without other work. */
const maxSuspectMs = 3600 * 1000;
/** Cause of outputs that are incomplete although the tool reported success. */
const incompleteCause = "unverified";
/** Number of concurrent copies. They mostly wait for the disk. */
const copyLanes = 3;

const payload = z.object({
  videoId: z.uuid(),
  waits: z.int().min(0).default(0),
  /** Time at which the first of these attempts ended. */
  waitingSince: z.iso.datetime().nullable().default(null),
  /** True if the file may be the cause. The next attempt then needs a moment without other work. */
  isSuspect: z.boolean().default(false),
  /** Failure of an attempt during which no other video was processed. */
  lastProblem: z.string().nullable().default(null),
});
type Payload = z.infer<typeof payload>;

interface Deps extends StepDeps {
  logger: Logger;
  av1: Av1Renditions;
  originals: OriginalsService;
  storedFiles: StoredFiles;
  countFailure(result: "retried" | "given up"): void;
  running: RunningJobs;
  replacements: ReplacementsService;
  captions: CaptionsService;
  automatic: AutomaticCaptions;
  thumbnails: ThumbnailService;
  config: Config;
}

/**
 * Creates the jobs from upload to last rendition. `video.publish` copies the parts that browsers
 * can play and passes everything else on: the first rendition and images to `video.encode`, or to
 * `video.encode-long` if they take long, and the remaining work to `video.finish`. So copies never
 * wait for encodes, short encodes never wait for long ones or images, and first renditions never
 * wait for a ladder. `video.large` makes renditions above 1080 lines. All jobs skip steps whose
 * files exist, so little work is repeated.
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
          await deps.state.queueFinish(video, made?.estimate.ladderS ?? 0);
        }),
    });
  /** Publishes a copy if possible. Queues an encode for everything else. */
  const publish = (name: "video.publish" | "video.clip", concurrency: number) =>
    defineJob({
      name,
      payload,
      concurrency,
      run: (job, context) =>
        attempt(deps, job, context, async (given, signal) => {
          if (given.status === "failed") return;
          const addedNotices =
            given.clip === null ? [] : await makeClipSource(deps, given, given.clip, signal);
          const video = given.clip === null ? given : await deps.state.find(given.id);
          if (video === null) return;
          const options = { onlyCopies: true };
          const made = await runSteps(deps, video, { signal }, ["playable"], options);
          await deps.state.saveFiles(video.id, [], { addedNotices });
          const estimate = made?.estimate ?? { quickS: 0, picturesS: 0 };
          const isPlayable = made?.needsEncode !== true;
          const estimateS = (isPlayable ? 0 : estimate.quickS) + estimate.picturesS;
          const { waits, waitingSince, isSuspect, lastProblem } = job;
          const plan = { estimateS, waits, waitingSince, isSuspect, lastProblem, isPlayable };
          await deps.state.queueEncode(video, plan);
        }),
    });
  return [
    publish("video.publish", copyLanes),
    // Clips whose source hasn't been made. After a crash, `video.publish` makes it.
    publish("video.clip", lanes),
    encode("video.encode"),
    encode("video.encode-long"),
    defineJob({
      name: "video.finish",
      payload,
      concurrency: lanes,
      run: (job, context) =>
        attempt(deps, job, context, async (video, signal) => {
          if (video.status !== "ready") return;
          const steps: StepName[] = ["captions", "pictures", "ladder", "extras"];
          const made = await runSteps(deps, video, { signal }, steps);
          if (made === null) return finishLarge(deps, video, signal);
          const { largeS } = made.estimate;
          if (largeS === 0) return finish(deps, video);
          // The video already plays at up to 1080 lines, so other ladders go first.
          return deps.state.queueLarge(video, largeS);
        }),
    }),
    defineJob({
      name: "video.large",
      payload,
      concurrency: lanes,
      run: (job, context) =>
        attempt(deps, job, context, async (video, signal) => {
          if (video.status === "ready") await finishLarge(deps, video, signal);
        }),
    }),
  ];
}

/** Runs a job's work and handles its failure. Leaves nothing behind for a removed video. */
async function attempt(
  deps: Deps,
  job: Payload,
  { signal }: JobContext,
  work: (video: ProcessedVideo, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { state, running } = deps;
  const video = await state.find(job.videoId);
  if (video === null) {
    // An attempt that died may have switched to the new file without queueing the next jobs.
    const switched = await deps.replacements.findSwitched(job.videoId);
    if (switched !== null) await requestNext(deps, switched.videoId, switched.isReprocessing);
    return;
  }
  const wasAlone = running.watch();
  const canWait = !isOlderThan(job.waitingSince, maxSuspectMs);
  if (job.isSuspect && canWait && (!wasAlone() || (await state.hasOtherWork()))) {
    return state.wait(video, { ...nextWait(job), failures: video.failures, isSuspect: true });
  }
  await deps.storedFiles.withoutLeftovers(video, async () => {
    try {
      await running.run(video, signal, (either) => work(video, either));
    } catch (error) {
      // It isn't the video's fault if the process stops or the database is unreachable.
      if (signal.aborted || isDatabaseUnreachable(error)) throw error;
      const current = await state.find(video.id);
      const isIdle = !canWait || (wasAlone() && !(await state.hasOtherWork()));
      if (current !== null) await decide(deps, { job, video: current, isIdle }, error);
    }
  });
}

const isOlderThan = (time: string | null, ms: number): boolean =>
  time !== null && Date.now() - Date.parse(time) > ms;

/** Returns the number of waits so far, the start of the first, and what failed before. */
function nextWait({ waits, waitingSince, lastProblem }: Payload) {
  return {
    lastProblem,
    waits: waits + 1,
    waitingSince: waitingSince ?? new Date().toISOString(),
    startAfterS: backOffS(waits),
  };
}

/** "2026-11-24 14:05 UTC" */
const formatMinute = (time: string): string => `${time.slice(0, 16).replace("T", " ")} UTC`;

/** Retries, or reports the reason for giving up. */
async function decide(
  deps: Deps,
  { job, video, isIdle }: { job: Payload; video: ProcessedVideo; isIdle: boolean },
  error: unknown,
): Promise<void> {
  const { state, storage, logger, countFailure } = deps;
  const key = video.clip === null ? video.sourceKey : (video.clip.long?.sourceKey ?? undefined);
  const source = key === undefined ? undefined : await storage.findStat(key).catch(() => undefined);
  const cause = source === null ? sourceMissing : findOutsideCause(error);
  const wait = nextWait(job);
  const since = `Waiting since ${formatMinute(wait.waitingSince)}.`;
  // Load or a full disk doesn't make the same file incomplete in the same way.
  const problem = cause?.name === incompleteCause ? findProblem(error) : null;
  const isRepeated = problem !== null && job.lastProblem === problem;
  const isPatient = job.waits >= patientAttempts;
  const blamesFile = cause?.canComeFromFile === true && isIdle && (isPatient || isRepeated);
  if (cause !== null && !blamesFile) {
    const { startAfterS } = wait;
    logger.warn(
      { err: error, videoId: video.id, cause: cause.name, startAfterS },
      "processing waits",
    );
    countFailure("retried");
    const reason = `${cause.explanation} ${since} It will be retried automatically.`;
    return state.wait(video, {
      ...{ ...wait, failures: video.failures, reason },
      isSuspect: problem !== null,
      lastProblem: isIdle ? problem : job.lastProblem,
    });
  }
  const failures = video.failures + (isIdle ? 1 : 0);
  logger.warn({ err: error, videoId: video.id, failures, isIdle }, "processing failed");
  const explanation =
    problem !== null
      ? `Two attempts failed in the same way: ${problem.replace(/\.$/, "")}.`
      : error instanceof AppError
        ? error.message
        : (cause?.explanation ?? "Processing failed.");
  if (failures < maxFailures && !blamesFile) {
    countFailure("retried");
    const reason = `${explanation} ${since} It will be retried once more when the queue is empty.`;
    return state.wait(video, { ...wait, failures, reason, isSuspect: true });
  }
  countFailure("given up");
  const hasStoryboard = video.files.storyboard !== null || video.skipped.includes("storyboard");
  if (video.files.hls_master !== null && hasStoryboard) {
    // The video already plays at up to 1080 lines.
    await state.saveFiles(video.id, [], {
      addedNotices: [`Couldn't make renditions above 1080 lines. ${explanation}`],
    });
    return finish(deps, video);
  }
  const reason =
    problem !== null
      ? `${explanation} Upload it in another format, or retry after an update.`
      : error instanceof AppError
        ? error.message
        : "The video couldn't be processed. Retry, or upload it in another format.";
  return state.giveUp(video, failures, reason);
}

/** Returns which file is incomplete and how. */
function findProblem(error: unknown): string | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof UnverifiedOutputError) return at.problem;
  }
  return null;
}

async function finishLarge(deps: Deps, video: ProcessedVideo, signal: AbortSignal): Promise<void> {
  await makeLarge(deps, video, signal);
  return finish(deps, video);
}

/**
 * Records the size of the files in use and the end of processing. A new file replaces the old one.
 */
async function finish(deps: Deps, { id }: ProcessedVideo): Promise<void> {
  const { state } = deps;
  const video = await state.find(id);
  if (video === null) return;
  const storedBytes = await deps.storedFiles.countBytes(video);
  const { durationS, videoId } = video;
  if (isNewFile(video)) {
    const newParts = video.changesCut ? video.keptParts : undefined;
    const master = (hlsKey: string | null) =>
      deps.captions.writeMaster(videoId, { hlsKey, durationS, newParts });
    await deps.replacements.complete(video, { storedBytes, master });
  } else await state.finish(id, storedBytes);
  await requestNext(deps, videoId, !isNewFile(video) || video.isReprocessing);
}

/** Requests the jobs that follow once all renditions are in use. */
async function requestNext(deps: Deps, videoId: string, wantsCaptions: boolean): Promise<void> {
  if (wantsCaptions) await deps.automatic.requestForNew(videoId);
  // Runs before the original is deleted.
  await deps.av1.request(videoId);
  await deps.originals.requestDrop(videoId);
}
