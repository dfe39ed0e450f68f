import { z } from "zod";
import {
  adminStatistics,
  adminStorage,
  adminSystem,
  statisticsDays,
} from "#contract/lists/admin-statistics.ts";
import { queryInt } from "#contract/lists/paging.ts";
import { adminStats } from "#contract/lists/statistics.ts";
import type { Db } from "#server/db/connection.ts";
import type { App } from "#server/http/app.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { findLastBackup } from "#server/processes/last-backup.repository.ts";
import type { Storage } from "#server/storage/storage.ts";
import {
  listLargestVideos,
  listUsage,
  readTrashBytes,
  readQueue,
  readStatistics,
  readStoredBytes,
  readTotals,
} from "./statistics.repository.ts";

/** Routes of the dashboard's data. */
export function registerStatisticsRoutes(
  app: App,
  deps: { db: Db; clock: Clock; storage: Storage },
): void {
  const { db, clock, storage } = deps;
  const tags = ["admin"];

  app.get(
    "/api/admin/stats",
    {
      config: { policy: "statistics.read" },
      schema: { tags, summary: "Get the totals of the site", response: { 200: adminStats } },
    },
    () => readTotals(db),
  );

  app.get(
    "/api/admin/statistics",
    {
      config: { policy: "statistics.read" },
      schema: {
        tags,
        summary: "Get plays, watch time, likes and advertising per day",
        querystring: z.object({ days: queryInt(1, 365) }),
        response: { 200: adminStatistics },
      },
    },
    (request) => {
      const days = statisticsDays.find((choice) => choice === (request.query.days ?? 30));
      if (days === undefined) {
        const message = `must be one of ${statisticsDays.join(", ")}`;
        throw new AppError("invalid", `days: ${message}`, { issues: [{ path: "days", message }] });
      }
      return readStatistics(db, clock.date(), days);
    },
  );

  app.get(
    "/api/admin/system",
    {
      config: { policy: "statistics.read" },
      schema: {
        tags,
        summary: "Get the state of the processing queue and storage",
        response: { 200: adminSystem },
      },
    },
    async () => {
      const [queue, stored, freeBytes, lastBackup] = await Promise.all([
        readQueue(db),
        readStoredBytes(db),
        storage.findFreeBytes(),
        findLastBackup(db),
      ]);
      const lastBackupAt = lastBackup?.toISOString() ?? null;
      return { queue, storage: { ...stored, freeBytes }, lastBackupAt };
    },
  );

  app.get(
    "/api/admin/storage",
    {
      config: { policy: "statistics.read" },
      schema: {
        tags,
        summary: "Get the space that media files use, by user and by video",
        response: { 200: adminStorage },
      },
    },
    async () => {
      const [stored, trashBytes, freeBytes, users, videos] = await Promise.all([
        readStoredBytes(db),
        readTrashBytes(db),
        storage.findFreeBytes(),
        listUsage(db),
        listLargestVideos(db),
      ]);
      return { ...stored, trashBytes, freeBytes, users, videos };
    },
  );
}
