import { z } from "zod";
import { defineJob, type AnyJobDefinition } from "#server/jobs/job-definition.ts";
import type { SearchService } from "./search.service.ts";

/** Writes the search documents of videos that changed in bulk. Runs once a minute. */
export function createSearchJob(deps: {
  search: Pick<SearchService, "refreshStale">;
}): AnyJobDefinition {
  return defineJob({
    name: "search.upkeep",
    payload: z.object({}),
    concurrency: 1,
    schedule: { cron: "* * * * *", runsAtStart: true },
    run: (_payload, { signal }) => deps.search.refreshStale(signal),
  });
}
