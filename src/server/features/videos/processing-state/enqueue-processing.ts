import type { VideoStatus } from "#contract/videos/videos.ts";
import type { DbOrTrx } from "#server/db/connection.ts";
import type { JobQueue, JobName } from "#server/jobs/queue.ts";

export const processingJobs = [
  "video.clip",
  "video.publish",
  "video.encode",
  "video.encode-long",
  "video.finish",
  "video.large",
] as const satisfies JobName[];
type ProcessingJob = (typeof processingJobs)[number];

/**
 * Processor time in seconds above which an encode counts as long and leaves a lane to short ones.
 */
const longS = 60;
/** Seconds that a job may arrive later and still go first, per second that it is shorter. */
const patience = 2;
/** Start of the time scale of priorities. It is recent, because priorities are 32-bit numbers. */
const epochS = Date.UTC(2026, 0) / 1000;

/** Returns the job that continues after a failure, a crash or a stop. */
export const nextProcessingJob = (status: VideoStatus): ProcessingJob =>
  status === "processing" ? "video.publish" : "video.finish";

export const encodeJobOf = (estimateS: number): ProcessingJob =>
  estimateS > longS ? "video.encode-long" : "video.encode";

/**
 * Returns a priority. A higher one runs first. Short jobs are preferred, but they overtake a long
 * one only for a time proportional to its length.
 */
export function planPriority(estimateS: number, nowS = Date.now() / 1000): number {
  return -Math.round(Math.max(0, nowS - epochS) + Math.min(estimateS, 1e6) * patience);
}

/** Offset that puts renditions above 1080 lines behind all ladders. */
const largeAfter = 500_000_000;
/** Offset that puts reprocessed videos behind all new ones. */
const reprocessingAfter = 1_000_000_000;
/** Seconds by which later encodes may overtake the images of a video that already plays. */
const playableAfter = 60;

interface ProcessingOptions {
  isReprocessing?: boolean;
  /** True if the video already plays. Other videos then go first for a while. */
  isPlayable?: boolean;
  /** Processor time of the job, in seconds. */
  estimateS?: number;
  /** Number of consecutive attempts that failed for an external reason. */
  waits?: number;
  waitingSince?: string | null;
  /** True if the next attempt needs a moment without other work. */
  isSuspect?: boolean;
  lastProblem?: string | null;
  startAfterS?: number;
}

/** Queues a job for a video unless one with the same name and key is waiting or running. */
export function enqueueProcessing(
  queue: JobQueue,
  db: DbOrTrx,
  name: ProcessingJob,
  videoId: string,
  options: ProcessingOptions = {},
): Promise<void> {
  const { estimateS = 0, waits, waitingSince = null, isSuspect = false, startAfterS } = options;
  const { lastProblem = null } = options;
  const behind =
    (options.isReprocessing === true ? reprocessingAfter : 0) +
    (name === "video.large" ? largeAfter : 0) +
    (options.isPlayable === true ? playableAfter : 0);
  return queue.enqueue(
    db,
    name,
    {
      videoId,
      ...(waits === undefined ? {} : { waits }),
      ...(waitingSince === null ? {} : { waitingSince }),
      ...(isSuspect ? { isSuspect } : {}),
      ...(lastProblem === null ? {} : { lastProblem }),
    },
    {
      // The failed job is still running while the job for its next attempt is queued.
      key: waits === undefined ? videoId : `${videoId}/wait-${waits % 2}`,
      priority: planPriority(estimateS) - behind,
      ...(startAfterS === undefined ? {} : { startAfterS }),
    },
  );
}
