import { z } from "zod";
import type { Db } from "#server/db/connection.ts";
import { backOffS, queueAgain } from "#server/jobs/back-off.ts";
import { defineJob } from "#server/jobs/job-definition.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import type { OriginalsService } from "#server/features/videos/originals/originals.service.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";

const name = "video.drop-original";
/** Minimum time to wait if automatic captions or AV1 renditions still need the original. */
const waitS = 30;

/**
 * Deletes originals if the site doesn't retain them, and files that took the place of a deleted one.
 */
export function createDroppedOriginals(deps: {
  db: Db;
  queue: JobQueue;
  originals: OriginalsService;
  settings: Pick<SettingsService, "keepsOriginals">;
}) {
  const { db, queue, originals, settings } = deps;
  const isKept = async (videoId: string): Promise<boolean> =>
    (await settings.keepsOriginals()) && !(await originals.hasStandIn(videoId));
  return {
    /**
     * Requests the deletion of an original once all renditions are done. Does nothing if it stays.
     */
    async request(videoId: string): Promise<void> {
      if (await isKept(videoId)) return;
      await queue.enqueue(db, name, { videoId }, { key: videoId });
    },

    job: defineJob({
      name,
      payload: z.object({ videoId: z.uuid(), waits: z.int().min(0).default(0) }),
      concurrency: 1,
      async run({ videoId, waits }) {
        // The settings may have changed in the meantime.
        if (await isKept(videoId)) return;
        if (await queue.hasUnfinished(["video.captions", "video.efficient"], { videoId })) {
          return queueAgain(deps, name, { videoId, waits }, Math.max(waitS, backOffS(waits)));
        }
        await originals.drop(videoId);
      },
    }),
  };
}

export type DroppedOriginals = ReturnType<typeof createDroppedOriginals>;
