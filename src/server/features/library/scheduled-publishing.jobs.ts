import { z } from "zod";
import type { Db } from "../../db/connection.ts";
import { defineJob, type AnyJobDefinition } from "../../jobs/job-definition.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";
import { recordAudit } from "../audit/audit.service.ts";

/** Publishes what was planned for now or before. The time of publication is the planned one. */
export async function publishPlanned(deps: {
  db: Db;
  clock: Clock;
  changed: () => Promise<void>;
}): Promise<number> {
  const { db, clock, changed } = deps;
  const count = await db.transaction().execute(async (trx) => {
    const due = await trx
      .selectFrom("videos")
      .leftJoin("users", "users.id", "videos.publish_planned_by")
      .select([
        "videos.id",
        "videos.publish_at",
        "videos.version",
        "users.email",
        "users.id as userId",
      ])
      .where("videos.publish_at", "<=", clock.date())
      .orderBy("videos.id")
      .limit(500)
      .forUpdate("videos")
      .skipLocked()
      .execute();
    for (const row of due) {
      await trx
        .updateTable("videos")
        .set({
          is_published: true,
          published_at: row.publish_at,
          publish_at: null,
          publish_planned_by: null,
          version: row.version + 1,
          updated_at: clock.date(),
        })
        .where("id", "=", row.id)
        .execute();
      await recordAudit(
        trx,
        {
          user: { id: row.userId, email: row.email ?? "schedule" },
          requestId: "schedule",
        },
        {
          action: "video.published",
          entity: "video",
          entityId: row.id,
          before: { isPublished: false, publishAt: row.publish_at?.toISOString() ?? null },
          after: { isPublished: true, publishAt: null },
        },
      );
    }
    return due.length;
  });
  if (count > 0) await changed();
  return count;
}

export function createPlannedJob(deps: {
  db: Db;
  clock: Clock;
  changed: () => Promise<void>;
  logger: Logger;
}): AnyJobDefinition {
  return defineJob({
    name: "admin.publish-planned",
    payload: z.object({}),
    concurrency: 1,
    schedule: { cron: "* * * * *" },
    async run() {
      const count = await publishPlanned(deps);
      if (count > 0) deps.logger.info({ count }, "published what was planned");
    },
  });
}
