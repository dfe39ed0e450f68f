import { z } from "zod";
import type { Db } from "../../db/connection.ts";
import { defineJob, type AnyJobDefinition } from "../../jobs/job-definition.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Logger } from "../../lib/logger.ts";
import type { Storage } from "../../storage/storage.ts";
import type { AuthService } from "../auth/auth.service.ts";
import { partOf, publicVideoPrefix } from "../../storage/media-address.ts";
import { usedParts } from "../library/videos.repository.ts";

/** Files younger than this may belong to an upload that has not reached the database yet. */
const orphanAgeMs = 24 * 3600 * 1000;

/**
 * Puts right what a crash left behind: unfinished videos without a job, files without a video,
 * work in progress of dead processes, sessions past their end.
 */
export function createSweepJob(deps: {
  db: Db;
  storage: Storage;
  queue: JobQueue;
  auth: Pick<AuthService, "deleteExpiredSessions">;
  logger: Logger;
}): AnyJobDefinition {
  const { db, storage, queue, auth, logger } = deps;

  async function requeueUnfinished(): Promise<void> {
    const rows = await db
      .selectFrom("videos")
      .select(["id", "status"])
      .where((eb) =>
        eb.or([
          eb("status", "=", "processing"),
          eb.and([eb("status", "=", "ready"), eb("progress", "<", 1)]),
        ]),
      )
      .execute();
    for (const { id, status } of rows) {
      // The key drops it where a job is waiting or running already.
      const name = status === "processing" ? "video.publish" : "video.finish";
      await queue.enqueue(db, name, { videoId: id }, { key: id });
    }
  }

  /** Whether a stored object still belongs to a video. */
  async function isUsed(key: string): Promise<boolean> {
    if (!key.startsWith(publicVideoPrefix)) {
      const owner = await db
        .selectFrom("videos")
        .select("id")
        .where("source_key", "=", key)
        .executeTakeFirst();
      return owner !== undefined;
    }
    const row = await db
      .selectFrom("videos")
      .selectAll()
      .where("media_token", "=", key.split("/")[1] ?? "")
      .executeTakeFirst();
    return row !== undefined && usedParts(row).has(partOf(key));
  }

  async function deleteOrphans(signal: AbortSignal): Promise<void> {
    const oldEnough = Date.now() - orphanAgeMs;
    let count = 0;
    for (const prefix of [publicVideoPrefix, "sources/"]) {
      for await (const { key, modifiedAt } of storage.list(prefix)) {
        signal.throwIfAborted();
        if (modifiedAt.getTime() > oldEnough || (await isUsed(key))) continue;
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
      await requeueUnfinished();
      await auth.deleteExpiredSessions();
      await storage.sweepScratch();
      await deleteOrphans(signal);
    },
  });
}
