import { z } from "zod";
import { isDatabaseUnreachable } from "#server/db/connection.ts";
import { defineJob, type AnyJobDefinition } from "#server/jobs/job-definition.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { BulkRunner } from "./bulk-runner.service.ts";

/**
 * Runs bulk actions. If an action itself causes an error, it fails. If it is interrupted, it runs
 * again.
 */
export function createBulkJob(deps: { runner: BulkRunner; logger: Logger }): AnyJobDefinition {
  const { runner, logger } = deps;
  return defineJob({
    name: "bulk.run",
    payload: z.object({ bulkId: z.uuid() }),
    concurrency: 2,
    async run({ bulkId }, { signal }) {
      try {
        await runner.run(bulkId, signal);
      } catch (error) {
        if (signal.aborted || isDatabaseUnreachable(error)) throw error;
        logger.error({ err: error, bulkId }, "bulk action failed");
        await runner.fail(bulkId);
      }
    },
  });
}
