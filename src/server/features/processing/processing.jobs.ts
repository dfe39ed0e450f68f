import { z } from "zod";
import { isDatabaseAway } from "../../db/connection.ts";
import { defineJob, type AnyJobDefinition, type JobContext } from "../../jobs/job-definition.ts";
import { AppError } from "../../lib/app-error.ts";
import type { Logger } from "../../lib/logger.ts";
import { folderEntryOf, videoFolder } from "../../storage/media-keys.ts";
import type { ProcessedVideo } from "../library/processing-state/processing-state.service.ts";
import { entriesInUse } from "../library/files/video-files.ts";
import { runSteps, type StepDeps } from "./run-steps.ts";

/** After this many failures of its own a video stays failed until an admin retries it. */
const maxFailures = 3;
const retryAfterS = 5;

const payload = z.object({ videoId: z.uuid() });

interface Deps extends StepDeps {
  logger: Logger;
  countFailure(result: "retried" | "given up"): void;
}

/**
 * From upload to every rendition, in two jobs. `video.publish` makes the video playable as fast as
 * possible; `video.finish` does the rest. So a long queue never delays the first playback of a new
 * video. Both skip the steps whose files exist, so running again repeats little.
 */
export function createProcessingJobs(deps: Deps): AnyJobDefinition[] {
  return [
    defineJob({
      name: "video.publish",
      payload,
      concurrency: 1,
      run: ({ videoId }, context) =>
        attempt(deps, videoId, context, async (video) => {
          if (video.status === "failed") return;
          await runSteps(deps, video, context, ["playable", "pictures"]);
          await deps.state.queueFinish(videoId);
        }),
    }),
    defineJob({
      name: "video.finish",
      payload,
      concurrency: 1,
      run: ({ videoId }, context) =>
        attempt(deps, videoId, context, async (video) => {
          if (video.status !== "ready") return;
          await runSteps(deps, video, context, ["pictures", "ladder", "extras"]);
          await finish(deps, videoId);
        }),
    }),
  ];
}

/** Runs a job's work and decides what a failure means: try again, or tell the operator why not. */
async function attempt(
  { state, logger, countFailure }: Deps,
  videoId: string,
  { signal }: JobContext,
  work: (video: ProcessedVideo) => Promise<void>,
): Promise<void> {
  const video = await state.find(videoId);
  if (video === null) return;
  try {
    await work(video);
  } catch (error) {
    // A stop, or a database that is away, says nothing about the video.
    if (signal.aborted || isDatabaseAway(error)) throw error;
    const current = await state.find(videoId);
    if (current === null) return;
    const failures = current.failures + 1;
    logger.warn({ err: error, videoId, failures }, "processing failed");
    const isFinal = error instanceof AppError && error.code !== "storage_full";
    if (!isFinal && failures < maxFailures) {
      countFailure("retried");
      await state.retryLater(current, failures, retryAfterS * failures);
      return;
    }
    const reason =
      error instanceof AppError
        ? error.message
        : "The video could not be processed. Retry, or upload it in another format.";
    countFailure("given up");
    await state.giveUp(current, failures, reason);
  }
}

/** Records how many bytes the files in use have, and that nothing is left to do. */
async function finish({ state, storage }: Deps, videoId: string): Promise<void> {
  const video = await state.find(videoId);
  if (video === null) return;
  const inUse = entriesInUse(video.files);
  let storedBytes = 0;
  for await (const { key, sizeBytes } of storage.list(videoFolder(video.mediaToken))) {
    if (inUse.has(folderEntryOf(key))) storedBytes += sizeBytes;
  }
  await state.finish(videoId, storedBytes);
}
