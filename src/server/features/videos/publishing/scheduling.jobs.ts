import { z } from "zod";
import { defineJob, type AnyJobDefinition } from "#server/jobs/job-definition.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { SchedulingService } from "./scheduling.service.ts";

/**
 * Publishes videos at their scheduled time. Also runs every minute, in case a stop delayed them.
 */
export function createSchedulingJob(deps: {
  scheduling: SchedulingService;
  logger: Logger;
}): AnyJobDefinition {
  return defineJob({
    name: "library.publish-scheduled",
    payload: z.object({}),
    concurrency: 1,
    schedule: { cron: "* * * * *" },
    async run() {
      const count = await deps.scheduling.publishDue();
      if (count > 0) deps.logger.info({ count }, "published scheduled videos");
    },
  });
}
