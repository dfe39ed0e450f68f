import { z } from "zod";
import { defineJob, type AnyJobDefinition } from "#server/jobs/job-definition.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { StagedUploads } from "./staged-uploads.ts";
import type { UploadLocks } from "./upload-locks.ts";

/** Time after which an abandoned upload is deleted. Four days, so that it survives a weekend. */
const untouchedMs = 4 * 24 * 3600 * 1000;

export function createUploadsSweepJob(deps: {
  staged: Pick<StagedUploads, "sweep">;
  locks: Pick<UploadLocks, "sweep">;
  logger: Logger;
}): AnyJobDefinition {
  return defineJob({
    name: "uploads.sweep",
    payload: z.object({}),
    concurrency: 1,
    schedule: { cron: "23 * * * *" },
    async run() {
      await deps.locks.sweep();
      const count = await deps.staged.sweep(untouchedMs);
      if (count > 0) deps.logger.info({ count }, "deleted abandoned uploads");
    },
  });
}
