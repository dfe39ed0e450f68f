import type { VideoStatus } from "../../../../contract/videos.ts";
import type { DbOrTrx } from "../../../db/connection.ts";
import type { JobQueue } from "../../../jobs/queue.ts";

/**
 * Queues the next job of a video: `video.publish` until it is playable, `video.finish` after that.
 * If a job for this video and attempt waits or runs already, nothing is added.
 * @param retry the number of failures so far and the delay, if an attempt failed.
 */
export function enqueueProcessing(
  queue: JobQueue,
  db: DbOrTrx,
  { id, status }: { id: string; status: VideoStatus },
  retry?: { failures: number; startAfterS: number },
): Promise<void> {
  return queue.enqueue(
    db,
    status === "processing" ? "video.publish" : "video.finish",
    { videoId: id },
    retry === undefined
      ? { key: id }
      : { key: `${id}/${retry.failures}`, startAfterS: retry.startAfterS },
  );
}
