import type { VideoStatus } from "#contract/videos/videos.ts";
import type { DbOrTrx } from "#server/db/connection.ts";
import type { JobName } from "#server/jobs/job-definition.ts";
import type { JobQueue } from "#server/jobs/queue.ts";

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

/** Renditions above 1080 lines wait for all ladders. */
const largeAfter = 500_000_000;
/** What is made again waits for everything that is new. */
const renewalsAfter = 1_000_000_000;
/** The images of a video that plays wait for encodes that arrive in so many seconds. */
const playableAfter = 60;

interface ProcessingOptions {
  isRenewal?: boolean;
  /** It plays already: what does not goes first, for a while. */
  isPlayable?: boolean;
  /** Processor time that the job takes. */
  estimateS?: number;
  /** How many attempts in a row something outside has ended. */
  waits?: number;
  waitingSince?: string | null;
  /** The next attempt needs a moment without other work. */
  isSuspect?: boolean;
  /** The renditions above 1080 lines. */
  isLarge?: boolean;
  startAfterS?: number;
}

/** Queues a job of a video. Nothing is added if one with the same name and key waits or runs already. */
export function enqueueProcessing(
  queue: JobQueue,
  db: DbOrTrx,
  name: ProcessingJob,
  videoId: string,
  options: ProcessingOptions = {},
): Promise<void> {
  const { estimateS = 0, waits, waitingSince = null, isSuspect = false, startAfterS } = options;
  const behind =
    (options.isRenewal === true ? renewalsAfter : 0) +
    (options.isLarge === true ? largeAfter : 0) +
    (options.isPlayable === true ? playableAfter : 0);
  return queue.enqueue(
    db,
    name,
    {
      videoId,
      ...(waits === undefined ? {} : { waits }),
      ...(waitingSince === null ? {} : { waitingSince }),
      ...(isSuspect ? { isSuspect } : {}),
      ...(options.isLarge === true ? { isLarge: true } : {}),
    },
    {
      key: videoId + suffixOf(options),
      priority: planPriority(estimateS) - behind,
      ...(startAfterS === undefined ? {} : { startAfterS }),
    },
  );
}

/** The job that queues the next one still runs, so that one needs another key. */
function suffixOf({ waits, isLarge }: ProcessingOptions): string {
  if (waits !== undefined) return `/wait-${waits % 2}`;
  return isLarge === true ? "/large" : "";
}
