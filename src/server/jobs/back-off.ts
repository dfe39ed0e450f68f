import type { Db } from "#server/db/connection.ts";
import type { JobQueue } from "./queue.ts";

const firstS = 5;
/** Longest pause between two attempts after an external failure. */
const longestS = 600;

/**
 * Returns the pause before the next attempt, in seconds. Each pause is twice as long as the last.
 */
export const backOffS = (waits: number): number =>
  Math.min(longestS, firstS * 2 ** Math.min(waits, 10));

/** Queues the next attempt of a video's job that is still running. */
export function queueAgain(
  { db, queue }: { db: Db; queue: JobQueue },
  name: "video.captions" | "video.drop-original" | "video.efficient",
  { videoId, waits }: { videoId: string; waits: number },
  startAfterS: number,
): Promise<void> {
  const again = { videoId, waits: waits + 1 };
  // Differs from the key of the running job.
  const key = `${videoId}/${again.waits % 2}`;
  return queue.enqueue(db, name, again, { key, startAfterS });
}
