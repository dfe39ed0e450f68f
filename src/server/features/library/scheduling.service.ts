import type { Video } from "../../../contract/videos.ts";
import type { Db } from "../../db/connection.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { AppError } from "../../lib/app-error.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Actor } from "../../lib/actor.ts";
import { recordAudit } from "../audit/audit.service.ts";
import type { VideosService } from "./videos.service.ts";

export interface SchedulingService {
  /**
   * Plans the publication, or takes the plan back with null; a time that has passed publishes within
   * a moment. @throws AppError not_found; conflict where the video is published already.
   */
  schedule(idOrSlug: string, publishAt: Date | null, actor: Actor): Promise<Video>;
}

export function createSchedulingService(deps: {
  db: Db;
  clock: Clock;
  queue: JobQueue;
  videos: VideosService;
}): SchedulingService {
  const { db, clock, queue, videos } = deps;
  return {
    async schedule(idOrSlug, publishAt, actor) {
      const id = await videos.getId(idOrSlug, { isAdmin: true });
      await db.transaction().execute(async (trx) => {
        const row = await trx
          .selectFrom("videos")
          .select(["is_published", "publish_at", "version"])
          .where("id", "=", id)
          .forUpdate()
          .executeTakeFirst();
        if (row === undefined) throw new AppError("not_found", "Video not found");
        if (row.is_published && publishAt !== null) {
          throw new AppError("conflict", "This video is published already.");
        }
        await trx
          .updateTable("videos")
          .set({
            publish_at: publishAt,
            publish_planned_by: publishAt === null ? null : actor.user.id,
            version: row.version + 1,
            updated_at: clock.date(),
          })
          .where("id", "=", id)
          .execute();
        await recordAudit(trx, actor, {
          action: publishAt === null ? "video.unscheduled" : "video.scheduled",
          entity: "video",
          entityId: id,
          before: { publishAt: row.publish_at?.toISOString() ?? null },
          after: { publishAt: publishAt?.toISOString() ?? null },
        });
        if (publishAt !== null) {
          // Runs at the minute; the schedule of every minute is for what a stop made it miss.
          const startAfterS = Math.max(0, (publishAt.getTime() - clock.now()) / 1000);
          await queue.enqueue(
            trx,
            "admin.publish-planned",
            {},
            { key: `${id}/${publishAt.getTime()}`, startAfterS },
          );
        }
      });
      return videos.get(id, { isAdmin: true });
    },
  };
}
