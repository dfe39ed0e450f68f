import { migrateToLatest } from "#server/db/migrate.ts";
import { createJobQueue } from "#server/jobs/queue.ts";
import { createLogger } from "#server/lib/logger.ts";
import { say } from "#server/processes/say.ts";
import { withDatabase, type Command } from "./command.ts";

/**
 * Updates the schema, including that of the job queue, so that the next start has nothing to
 * migrate.
 */
export const migrate: Command = {
  name: "npm run migrate",
  summary: "Updates the database schema to this version. Run it while the site runs or not.",
  examples: ["npm run migrate"],
  run: (config) =>
    withDatabase(config, { isMigrated: true, maxConnections: 1 }, async ({ db, target }) => {
      const applied = await migrateToLatest(db);
      for (const name of applied) say(`Applied ${name}.`);
      const logger = createLogger("warn");
      const queue = await createJobQueue({ target, logger, isWorker: false });
      await queue.stop(0);
      say(applied.length === 0 ? "The schema was up to date." : "The schema is up to date.");
    }),
};
