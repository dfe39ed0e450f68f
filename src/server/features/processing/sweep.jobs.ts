import { z } from "zod";
import type { Db } from "#server/db/connection.ts";
import { isReferenced } from "#server/db/file-references.ts";
import { defineJob, type AnyJobDefinition } from "#server/jobs/job-definition.ts";
import type { Logger } from "#server/lib/logger.ts";
import { runAll } from "#server/lib/run-all.ts";
import {
  publicPrefix,
  publicVideoPrefix,
  publishedPrefix,
  sourcePrefix,
} from "#server/storage/media-keys.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { ReplacementsService } from "#server/features/videos/replacements/replacements.service.ts";
import { deleteRetired } from "./delete-retired.ts";

/**
 * Minimum age of orphaned files. Younger files may belong to an upload that isn't in the database
 * yet.
 */
const orphanAgeMs = 24 * 3600 * 1000;

/**
 * Deletes files that are no longer in use: those without a row, replaced ones, and scratch folders
 * of ended processes.
 */
export function createSweepJob(deps: {
  db: Db;
  storage: Storage;
  replacements: Pick<ReplacementsService, "forgetOld">;
  logger: Logger;
}): AnyJobDefinition {
  const { db, storage, replacements, logger } = deps;

  async function deleteOrphans(signal: AbortSignal): Promise<void> {
    const oldEnough = Date.now() - orphanAgeMs;
    let count = 0;
    for (const prefix of [publicVideoPrefix, sourcePrefix, publishedPrefix, publicPrefix]) {
      for await (const { key, modifiedAt } of storage.list(prefix)) {
        signal.throwIfAborted();
        if (modifiedAt.getTime() > oldEnough) continue;
        const original = key.startsWith(publishedPrefix) ? key.slice(publishedPrefix.length) : key;
        if (await isReferenced(db, original)) continue;
        await storage.delete(key);
        count += 1;
      }
    }
    if (count > 0) logger.info({ count }, "deleted unreferenced files");
  }

  return defineJob({
    name: "maintenance.sweep",
    payload: z.object({}),
    concurrency: 1,
    schedule: { cron: "*/10 * * * *", runsAtStart: true },
    async run(_payload, { signal }) {
      // A step that always fails, such as listing uploads without permission, must not stop others.
      await runAll([
        () => replacements.forgetOld(),
        () => storage.sweepScratch(),
        () => deleteRetired(deps, signal),
        () => deleteOrphans(signal),
      ]);
    },
  });
}
