import { z } from "zod";
import { defineJob, type AnyJobDefinition } from "#server/jobs/job-definition.ts";
import type { Logger } from "#server/lib/logger.ts";
import { publicVideoPrefix, publishedPrefix, sourcePrefix } from "#server/storage/media-keys.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { AuthService } from "#server/features/auth/auth.service.ts";
import type { ReplacementsService } from "#server/features/videos/replacements/replacements.service.ts";
import type { ProcessingStateService } from "#server/features/videos/processing-state/processing-state.service.ts";

/** Files younger than this may belong to an upload that has not reached the database yet. */
const orphanAgeMs = 24 * 3600 * 1000;

/**
 * Repairs what a crash leaves behind: unfinished videos without a job, files without a video,
 * scratch folders of ended processes. Expired sessions and old counters of sign-ins are deleted too.
 */
export function createSweepJob(deps: {
  storage: Storage;
  state: ProcessingStateService;
  replacements: Pick<ReplacementsService, "forgetOld">;
  auth: Pick<AuthService, "deleteExpired">;
  logger: Logger;
}): AnyJobDefinition {
  const { storage, state, replacements, auth, logger } = deps;

  async function deleteOrphans(signal: AbortSignal): Promise<void> {
    const oldEnough = Date.now() - orphanAgeMs;
    let count = 0;
    for (const prefix of [publicVideoPrefix, sourcePrefix, publishedPrefix]) {
      for await (const { key, modifiedAt } of storage.list(prefix)) {
        signal.throwIfAborted();
        if (modifiedAt.getTime() > oldEnough) continue;
        const original = key.startsWith(publishedPrefix) ? key.slice(publishedPrefix.length) : key;
        if (await state.isInUse(original)) continue;
        await storage.delete(key);
        count += 1;
      }
    }
    if (count > 0) logger.info({ count }, "deleted files that belonged to no video");
  }

  return defineJob({
    name: "maintenance.sweep",
    payload: z.object({}),
    concurrency: 1,
    schedule: { cron: "*/10 * * * *", runsAtStart: true },
    async run(_payload, { signal }) {
      await state.requeueUnfinished();
      await replacements.forgetOld();
      await auth.deleteExpired();
      await storage.sweepScratch();
      await deleteOrphans(signal);
    },
  });
}
