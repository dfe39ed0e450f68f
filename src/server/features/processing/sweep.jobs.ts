import { z } from "zod";
import type { Db } from "../../db/connection.ts";
import { defineJob, type AnyJobDefinition } from "../../jobs/job-definition.ts";
import type { Logger } from "../../lib/logger.ts";
import { publicVideoPrefix, sourcePrefix, stepFolderOf } from "../../storage/media-keys.ts";
import type { Storage } from "../../storage/storage.ts";
import type { AuthService } from "../auth/auth.service.ts";
import type { ProcessingStateService } from "../library/processing-state/processing-state.service.ts";
import { isPartFolder } from "./ladder/ladder-parts.repository.ts";

/** Files younger than this may belong to an upload that has not reached the database yet. */
const orphanAgeMs = 24 * 3600 * 1000;

/**
 * Repairs what a crash leaves behind: unfinished videos without a job, files without a video,
 * scratch folders of ended processes. Expired sessions and old counters of sign-ins are deleted too.
 */
export function createSweepJob(deps: {
  db: Db;
  storage: Storage;
  state: ProcessingStateService;
  auth: Pick<AuthService, "deleteExpired">;
  logger: Logger;
}): AnyJobDefinition {
  const { db, storage, state, auth, logger } = deps;

  async function deleteOrphans(signal: AbortSignal): Promise<void> {
    const oldEnough = Date.now() - orphanAgeMs;
    let count = 0;
    for (const prefix of [publicVideoPrefix, sourcePrefix]) {
      for await (const { key, modifiedAt } of storage.list(prefix)) {
        signal.throwIfAborted();
        if (modifiedAt.getTime() > oldEnough || (await state.isInUse(key))) continue;
        // The longest ladders take more than a day.
        if (await isPartFolder(db, stepFolderOf(key))) continue;
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
      await auth.deleteExpired();
      await storage.sweepScratch();
      await deleteOrphans(signal);
    },
  });
}
