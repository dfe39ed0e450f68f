import { z } from "zod";
import type { Video } from "#contract/videos/videos.ts";
import { videoTag, type PublishChanges } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import { defineJob, type JobQueue, type AnyJobDefinition } from "#server/jobs/queue.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { recordAudit, type Actor } from "#server/features/audit/audit.service.ts";
import type { Logger } from "#server/lib/logger.ts";
import { withVideoTags } from "../video-tags.ts";
import { lockExistingVideo, updateVideo } from "../videos.repository.ts";
import type { VideosService } from "../videos.service.ts";
import { publishVideos } from "./publish-videos.ts";
import { lockDueVideos, type DueVideo } from "./publishing.repository.ts";

/** Number of videos published per transaction. */
const maxDue = 500;

export function createSchedulingService(deps: {
  db: Db;
  clock: Clock;
  queue: JobQueue;
  videos: VideosService;
  changed: PublishChanges;
}) {
  const { db, clock, queue, videos, changed } = deps;
  return {
    /**
     * Schedules the publication. Null cancels it. A time in the past publishes within a moment.
     * @throws AppError not_found; conflict if the video is already published.
     */
    async schedule(idOrSlug: string, publishAt: Date | null, actor: Actor): Promise<Video> {
      const id = await videos.getId(idOrSlug, { isAdmin: true });
      await db.transaction().execute(async (trx) => {
        const row = await lockExistingVideo(trx, id);
        if (row.is_published && publishAt !== null) {
          throw new AppError("conflict", "This video is already published.");
        }
        await updateVideo(trx, id, {
          publish_at: publishAt,
          publish_planned_by: publishAt === null ? null : actor.user.id,
          version: row.version + 1,
        });
        await recordAudit(trx, actor, {
          action: publishAt === null ? "video.unscheduled" : "video.scheduled",
          entity: "video",
          entityId: id,
          before: { title: row.title, publishAt: row.publish_at?.toISOString() ?? null },
          after: { publishAt: publishAt?.toISOString() ?? null },
        });
        if (publishAt !== null) {
          await queue.enqueue(
            trx,
            "library.publish-scheduled",
            {},
            {
              key: `${id}/${publishAt.getTime()}`,
              startAfterS: Math.max(0, (publishAt.getTime() - clock.now()) / 1000),
            },
          );
        }
      });
      await changed([videoTag(id)]);
      return videos.get(id, { isAdmin: true });
    },

    /** Publishes all videos whose time has come. @returns their number. */
    async publishDue(): Promise<number> {
      const at = clock.date();
      const { result: count, tags } = await db.transaction().execute(async (trx) => {
        const due = await lockDueVideos(trx, at, maxDue);
        const dueIds = due.map(({ id }) => id);
        return withVideoTags(trx, dueIds, async () => {
          let published = 0;
          for (const group of Map.groupBy(due, ({ planner }) => planner?.id).values()) {
            const ids = group.map(({ id }) => id);
            published += await publishVideos(trx, ids, { at, actor: actorOf(group[0]?.planner) });
          }
          return published;
        });
      });
      await changed(tags);
      return count;
    },
  };
}

export type SchedulingService = ReturnType<typeof createSchedulingService>;

function actorOf(planner: DueVideo["planner"] | undefined): Actor {
  return { user: planner ?? { id: null, email: "schedule" }, requestId: "schedule" };
}

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
