import { z } from "zod";
import type { Db } from "#server/db/connection.ts";
import { defineJob, type AnyJobDefinition } from "#server/jobs/job-definition.ts";
import type { Clock } from "#server/lib/clock.ts";
import { addHistoryPartitions, dropHistory, foldHours } from "./history.repository.ts";

/**
 * Creates the next partitions, folds old hours into days, and drops expired data. Runs once an
 * hour.
 */
export function createHistoryUpkeepJob(deps: {
  db: Db;
  clock: Clock;
  /** Number of months to retain single plays and days. */
  historyMonths: number;
}): AnyJobDefinition {
  const { db, clock, historyMonths } = deps;
  return defineJob({
    name: "history.upkeep",
    payload: z.object({}),
    concurrency: 1,
    schedule: { cron: "11 * * * *", runsAtStart: true },
    async run(_payload, { signal }) {
      const now = clock.date();
      await addHistoryPartitions(db, now);
      await foldHours(db, signal);
      const before = new Date(now);
      before.setUTCMonth(now.getUTCMonth() - historyMonths);
      await dropHistory(db, before);
    },
  });
}
