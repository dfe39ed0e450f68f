import { z } from "zod";
import type { Db } from "#server/db/connection.ts";
import { defineJob, type AnyJobDefinition } from "#server/jobs/job-definition.ts";
import { foldTallies } from "./tallies.sql.ts";

/** Folds the tallies once a minute. */
export function createTalliesJob({ db }: { db: Db }): AnyJobDefinition {
  return defineJob({
    name: "tallies.upkeep",
    payload: z.object({}),
    concurrency: 1,
    schedule: { cron: "* * * * *", runsAtStart: true },
    run: () => foldTallies(db),
  });
}
