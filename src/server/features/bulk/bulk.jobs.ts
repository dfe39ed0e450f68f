import { z } from "zod";
import { isDatabaseAway, type Db } from "../../db/connection.ts";
import { defineJob, type AnyJobDefinition } from "../../jobs/job-definition.ts";
import type { Logger } from "../../lib/logger.ts";
import { deleteOldBulkJobs } from "./bulk.repository.ts";
import type { BulkService } from "./bulk.service.ts";

/** Works bulk actions off. One that fails for a reason of its own says so and stays as far as it is. */
export function createBulkJob(deps: {
  db: Db;
  bulk: BulkService;
  logger: Logger;
}): AnyJobDefinition {
  const { db, bulk, logger } = deps;
  return defineJob({
    name: "admin.bulk",
    payload: z.object({ bulkId: z.uuid() }),
    concurrency: 2,
    async run({ bulkId }, { signal }) {
      try {
        await bulk.run(bulkId, signal);
        await deleteOldBulkJobs(db);
      } catch (error) {
        if (signal.aborted || isDatabaseAway(error)) throw error;
        logger.error({ err: error, bulkId }, "bulk action failed");
        await db
          .updateTable("bulk_jobs")
          .set({
            state: "failed",
            failure_reason: "It stopped at an unexpected error. What was done so far stays done.",
            updated_at: new Date(),
          })
          .where("id", "=", bulkId)
          .where("state", "in", ["waiting", "running"])
          .execute();
      }
    },
  });
}
