import type { Video } from "#contract/videos/videos.ts";
import { videoTag, type PublishChanges } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import type { Actor } from "#server/lib/actor.ts";
import { settleCommit } from "#server/db/settle-commit.ts";
import { AppError } from "#server/lib/app-error.ts";
import { newId } from "#server/lib/ids.ts";
import type { Storage } from "#server/storage/storage.ts";
import { findSourceKey } from "../files/video-files.ts";
import { lockExistingVideo } from "../videos.repository.ts";
import type { VideosService } from "../videos.service.ts";
import { originalIsGone, renewVideo } from "./renew-videos.ts";
import { findReplacedVideo } from "./replacements.repository.ts";

/**
 * Reprocesses renditions, for example after the ladder has changed. Works like a new file for the
 * video with the same source: the current files play until everything is done, then all change at
 * once.
 */
export function createRenewalsService(deps: {
  db: Db;
  queue: JobQueue;
  storage: Pick<Storage, "findStat">;
  videos: Pick<VideosService, "get" | "getId">;
  changed: PublishChanges;
}) {
  const { db, queue, storage, videos, changed } = deps;
  return {
    /**
     * @throws AppError not_found; conflict if the video isn't ready, is being processed, or its
     * original is deleted.
     */
    async begin(idOrSlug: string, actor: Actor): Promise<Video> {
      const videoId = await videos.getId(idOrSlug, { isAdmin: true });
      const source = await findSourceKey(db, videoId);
      if ((await storage.findStat(source)) === null) throw new AppError("conflict", originalIsGone);
      const id = newId();
      const begin = () =>
        db.transaction().execute(async (trx) => {
          const row = await lockExistingVideo(trx, videoId);
          await renewVideo(trx, queue, row, actor, { id });
        });
      await settleCommit(begin, {
        isCommitted: async () => (await findReplacedVideo(db, id)) !== null,
      });
      await changed([videoTag(videoId)]);
      return videos.get(videoId, { isAdmin: true });
    },
  };
}

export type RenewalsService = ReturnType<typeof createRenewalsService>;
