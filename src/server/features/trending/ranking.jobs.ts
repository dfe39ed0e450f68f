import { z } from "zod";
import type { Db } from "#server/db/connection.ts";
import { foldTallies } from "#server/db/tallies.ts";
import { defineJob, type AnyJobDefinition } from "#server/jobs/job-definition.ts";
import type { LabelTops } from "#server/features/lists/label-tops.service.ts";
import type { TrendingService } from "./trending.service.ts";

/**
 * Once a minute: moves the ranking windows to the current hour, folds tallies, writes the search
 * documents of videos that changed in bulk, and keeps the first videos of large labels.
 */
export function createRankingUpkeepJob(deps: {
  db: Db;
  trending: Pick<TrendingService, "moveWindow">;
  search: { refreshStale(signal: AbortSignal): Promise<void> };
  labelTops: Pick<LabelTops, "refresh">;
}): AnyJobDefinition {
  const { db, trending, search, labelTops } = deps;
  return defineJob({
    name: "ranking.upkeep",
    payload: z.object({}),
    concurrency: 1,
    schedule: { cron: "* * * * *", runsAtStart: true },
    async run(_payload, { signal }) {
      await trending.moveWindow();
      await foldTallies(db);
      await search.refreshStale(signal);
      await labelTops.refresh(signal);
    },
  });
}
