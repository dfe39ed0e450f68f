import { z } from "zod";
import { defineJob, type AnyJobDefinition } from "#server/jobs/job-definition.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { TrashService } from "./trash.service.ts";

/** Deletes the files of videos that have been in the trash long enough. */
export function createTrashJob(deps: { trash: TrashService; logger: Logger }): AnyJobDefinition {
  return defineJob({
    name: "library.empty-trash",
    payload: z.object({}),
    concurrency: 1,
    schedule: { cron: "17 * * * *" },
    async run(_payload, { signal }) {
      for (;;) {
        signal.throwIfAborted();
        const count = await deps.trash.eraseOld();
        if (count === 0) return;
        deps.logger.info({ count }, "deleted videos from the trash");
      }
    },
  });
}
