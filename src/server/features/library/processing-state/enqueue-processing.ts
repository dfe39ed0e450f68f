import type { VideoStatus } from "../../../../contract/videos.ts";
import type { DbOrTrx } from "../../../db/connection.ts";
import type { JobName } from "../../../jobs/job-definition.ts";
import type { JobQueue } from "../../../jobs/queue.ts";

export const processingJobs = [
  "video.publish",
  "video.encode",
  "video.encode-long",
  "video.finish",
] as const satisfies JobName[];
type ProcessingJob = (typeof processingJobs)[number];

/** More processor time than this is long: such encodes leave a place for short ones. */
const longS = 60;
/** How many seconds later a job may arrive and still overtake, per second that it is shorter. */
const patience = 2;
/** Priorities count from here: they are 32-bit numbers. */
const epochS = Date.UTC(2026, 0) / 1000;

/** Where a video goes on after a failure, a crash or a stop. */
export const nextJobOf = (status: VideoStatus): ProcessingJob =>
  status === "processing" ? "video.publish" : "video.finish";

export const encodeJobOf = (estimateS: number): ProcessingJob =>
  estimateS > longS ? "video.encode-long" : "video.encode";

/** Higher runs first: the shortest, but a long one is overtaken only for a time that grows with it. */
export function planPriority(estimateS: number, nowS = Date.now() / 1000): number {
  return -Math.round(Math.max(0, nowS - epochS) + Math.min(estimateS, 1e6) * patience);
}

/**
 * Queues a job of a video. Nothing is added if one with the same name and key waits or runs already.
 * @param options.estimateS processor time that the job takes.
 * @param options.waits how many attempts in a row something outside has ended.
 * @param options.failures how many attempts the video itself has failed.
 */
export function enqueueProcessing(
  queue: JobQueue,
  db: DbOrTrx,
  name: ProcessingJob,
  videoId: string,
  options: { estimateS?: number; waits?: number; failures?: number; startAfterS?: number } = {},
): Promise<void> {
  const { estimateS = 0, waits, failures, startAfterS } = options;
  // The job that queues the next attempt still runs, so that one needs another key.
  const key =
    waits === undefined
      ? `${videoId}${failures === undefined ? "" : `/${failures}`}`
      : `${videoId}/wait-${waits % 2}`;
  return queue.enqueue(
    db,
    name,
    { videoId, ...(waits === undefined ? {} : { waits }) },
    {
      key,
      priority: planPriority(estimateS),
      ...(startAfterS === undefined ? {} : { startAfterS }),
    },
  );
}
