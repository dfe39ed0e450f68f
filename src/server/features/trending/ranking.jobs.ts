import { z } from "zod";
import { defineJob, type AnyJobDefinition } from "#server/jobs/job-definition.ts";
import type { TrendingService } from "./trending.service.ts";

/** Moves the ranking windows to the current hour. Runs once a minute. */
export function createRankingUpkeepJob(deps: {
  trending: Pick<TrendingService, "moveWindow">;
}): AnyJobDefinition {
  return defineJob({
    name: "ranking.upkeep",
    payload: z.object({}),
    concurrency: 1,
    schedule: { cron: "* * * * *", runsAtStart: true },
    run: () => deps.trending.moveWindow(),
  });
}
