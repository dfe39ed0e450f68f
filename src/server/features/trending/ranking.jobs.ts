import { z } from "zod";
import type { Db } from "../../db/connection.ts";
import { foldTallies } from "../../db/tallies.ts";
import { defineJob, type AnyJobDefinition } from "../../jobs/job-definition.ts";
import type { TrendingService } from "./trending.service.ts";

/**
 * Once a minute: ranges end with the current hour, sums stay short, and the documents of search
 * follow changes of very many videos at once.
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
