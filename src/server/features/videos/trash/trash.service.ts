import { z } from "zod";
import { limits } from "#contract/limits.ts";
import type { ClipFate } from "#contract/videos/clips.ts";
import type { TrashList, TrashQuery } from "#contract/videos/trash.ts";
import type { Video } from "#contract/videos/videos.ts";
import type { PublishChanges } from "#server/db/change-tags.ts";
import type { Db, Trx } from "#server/db/connection.ts";
import { defineJob, type JobQueue, type AnyJobDefinition } from "#server/jobs/queue.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { OpenObject, Storage } from "#server/storage/storage.ts";
import { recordAudit, type Actor } from "#server/features/audit/audit.service.ts";
import { slugCandidates } from "#server/lib/names.ts";
import { enqueueProcessing, nextProcessingJob } from "../processing-state/enqueue-processing.ts";
import { deleteVideoFiles } from "../files/stored-files.service.ts";
import { withVideoTags } from "../video-tags.ts";
import { findVideoRow } from "../videos.repository.ts";
import type { VideosService } from "../videos.service.ts";
import { eraseTrashed } from "./remove-videos.ts";
import * as repository from "./trash.repository.ts";

const dayMs = 24 * 3600 * 1000;
const maxAtOnce = 200;
const notFound = () => new AppError("not_found", "This video isn't in the trash.");

/** Trash with removed videos whose files still exist. */
export function createTrashService(deps: {
  db: Db;
  clock: Clock;
  logger: Logger;
  storage: Storage;
  queue: JobQueue;
  videos: VideosService;
  changed: PublishChanges;
}) {
  const { db, clock, queue, videos, changed } = deps;

  /** Deletes entries for good. @returns their number. */
  async function eraseSome(
    lock: (trx: Trx) => Promise<string[]>,
    actor: Actor | null,
    clips?: ClipFate,
  ): Promise<number> {
    const { count, removed, tags } = await db.transaction().execute(async (trx) => {
      const ids = await lock(trx);
      const { result, ...made } = await withVideoTags(trx, ids, () =>
        eraseTrashed(trx, ids, actor, clips),
      );
      return { count: ids.length, removed: result, ...made };
    });
    if (count === 0) return 0;
    await changed(tags);
    await deleteVideoFiles(deps, removed);
    return count;
  }

  return {
    async list({ limit = limits.adminPageSize, offset = 0 }: TrashQuery): Promise<TrashList> {
      const list = await repository.listTrash(db, { limit, offset });
      return {
        ...list,
        videos: list.videos.map(
          ({ id, title, durationS, hasThumbnail, sizeBytes, removedBy, removedAt, clips }) => ({
            id,
            clips,
            title,
            duration: durationS,
            thumbnail: hasThumbnail ? `/api/admin/trash/${id}/thumbnail` : null,
            sizeBytes,
            removedBy,
            removedAt: removedAt.toISOString(),
            goesAt: new Date(removedAt.getTime() + list.keptDays * dayMs).toISOString(),
          }),
        ),
      };
    },

    /**
     * Opens the thumbnail of a removed video. Media URLs don't serve it, because access to them
     * depends on the video's row. @throws AppError not_found.
     */
    async openThumbnail(id: string): Promise<OpenObject> {
      const key = await repository.findThumbnailKey(db, id);
      if (key === null) throw notFound();
      return deps.storage.openRead(key);
    },

    /**
     * Restores a video unchanged. Calls `requirePublish` if it was published or scheduled.
     * @throws AppError not_found; conflict if its file is blocked.
     */
    async restore(id: string, actor: Actor, requirePublish: () => void): Promise<Video> {
      const { tags } = await db.transaction().execute(async (trx) => {
        const removed = await repository.lockRemoved(trx, id);
        if (removed === null) throw notFound();
        if (removed.needsPublishRight) requirePublish();
        if (removed.isBlocked) {
          throw new AppError(
            "conflict",
            "A moderator blocked the file of this video, so it can't be restored.",
          );
        }
        return withVideoTags(trx, [id], async () => {
          for (const slug of slugCandidates(removed.slug, "video")) {
            if ((await findVideoRow(trx, slug)) !== null) continue;
            await repository.putBack(trx, id, slug);
            break;
          }
          const row = await findVideoRow(trx, id);
          if (row === null) throw new Error(`The video ${id} wasn't restored`);
          if (row.status !== "failed" && (row.progress ?? 1) < 1) {
            await enqueueProcessing(queue, trx, nextProcessingJob(row.status), id);
          }
          await recordAudit(trx, actor, {
            action: "video.restored",
            entity: "video",
            entityId: id,
            after: { title: removed.title },
          });
        });
      });
      await changed(tags);
      return videos.get(id, { isAdmin: true });
    },

    /** Deletes a video and its files for good. @throws AppError not_found. */
    async erase(id: string, actor: Actor, clips?: ClipFate): Promise<void> {
      const { result: removed, tags } = await db
        .transaction()
        .execute((trx) => withVideoTags(trx, [id], () => eraseTrashed(trx, [id], actor, clips)));
      if (removed.length === 0) throw notFound();
      await changed(tags);
      await deleteVideoFiles(deps, removed);
    },

    /** Empties the trash. @returns the number of deleted videos. */
    async eraseAll(actor: Actor, clips?: ClipFate): Promise<number> {
      for (let count = 0; ;) {
        const erased = await eraseSome(
          (trx) => repository.lockOldest(trx, maxAtOnce),
          actor,
          clips,
        );
        if (erased === 0) return count;
        count += erased;
      }
    },

    /** Deletes entries older than the retention in the settings. @returns their number. */
    eraseOld: (): Promise<number> =>
      eraseSome((trx) => repository.lockOld(trx, clock.date(), maxAtOnce), null),
  };
}

export type TrashService = ReturnType<typeof createTrashService>;

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
