import { migrateToLatest } from "#server/db/migrate.ts";
import { createJobQueue } from "#server/jobs/queue.ts";
import { createLogger } from "#server/lib/logger.ts";
import { say } from "#server/processes/say.ts";
import { UsageError, withDatabase, type Command } from "./command.ts";

/**
 * Updates the schema, including that of the job queue, so that the next start has nothing to
 * migrate.
 */
export const migrate: Command = async (config, args) => {
  if (args.length > 0) throw new UsageError("migrate takes no arguments.");
  await withDatabase(config, { isMigrated: true, maxConnections: 1 }, async ({ db, target }) => {
    const applied = await migrateToLatest(db);
    for (const name of applied) say(`Applied ${name}.`);
    const queue = await createJobQueue({ target, logger: createLogger("warn"), isWorker: false });
    await queue.stop(0);
    say(applied.length === 0 ? "The schema was up to date." : "The schema is up to date.");
  });
};
