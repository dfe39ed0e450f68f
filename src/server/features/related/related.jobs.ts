import { z } from "zod";
import type { Db } from "#server/db/connection.ts";
import { defineJob, type AnyJobDefinition } from "#server/jobs/job-definition.ts";
import { queueNeighbours, queueOutdated, takeQueued } from "./related-queue.repository.ts";
import type { RelatedVideos } from "./related.service.ts";

/** Time that the run each minute spends on videos that haven't just changed: a tenth of a core. */
const backgroundMs = 6000;
/** Maximum number of outdated choices queued per minute, matched to the work done in one. */
const outdatedMax = 500;
const takenAtOnce = 20;

/**
 * Refreshes related videos: once a minute for all, most viewed first, and soon after a change for
 * the videos that changed.
 */
export function createRelatedJob(deps: { db: Db; relatedVideos: RelatedVideos }): AnyJobDefinition {
  const { db, relatedVideos } = deps;
  return defineJob({
    name: "related.choose",
    payload: z.object({ isUrgentOnly: z.boolean().default(false) }),
    concurrency: 1,
    schedule: { cron: "* * * * *" },
    async run({ isUrgentOnly }, { signal }) {
      const startedAt = performance.now();
      if (!isUrgentOnly) await queueOutdated(db, outdatedMax);
      for (;;) {
        const hasTime = performance.now() - startedAt < backgroundMs;
        const queued = await takeQueued(db, takenAtOnce, {
          isUrgentOnly: isUrgentOnly || !hasTime,
        });
        if (queued.length === 0) return;
        for (const { videoId, isUrgent } of queued) {
          signal.throwIfAborted();
          const { ids } = await relatedVideos.choose(videoId);
          if (isUrgent) await queueNeighbours(db, ids);
        }
      }
    },
  });
}
