import { z } from "zod";
import type { Db } from "../../db/connection.ts";
import { foldTallies } from "../../db/tallies.ts";
import { defineJob, type AnyJobDefinition } from "../../jobs/job-definition.ts";
import type { TrendingService } from "./trending.service.ts";

/**
 * Once a minute: moves the ranking windows to the current hour, folds tallies, and writes the search
 * documents of videos that changed in bulk.
 */
export function createRankingUpkeepJob(deps: {
  db: Db;
  trending: Pick<TrendingService, "moveWindow">;
  search: { refreshStale(signal: AbortSignal): Promise<void> };
}): AnyJobDefinition {
  const { db, trending, search } = deps;
  return defineJob({
    name: "ranking.upkeep",
    payload: z.object({}),
    concurrency: 1,
    schedule: { cron: "* * * * *", runsAtStart: true },
    async run(_payload, { signal }) {
      await trending.moveWindow();
      await foldTallies(db);
      await search.refreshStale(signal);
    },
  });
}
