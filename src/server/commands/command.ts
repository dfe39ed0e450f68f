import type { Config } from "#server/config.ts";
import { checkServer } from "#server/db/check-server.ts";
import { openDatabase, type OpenDatabase } from "#server/db/open-database.ts";
import type { Actor } from "#server/lib/actor.ts";
import { ensureDataFolder } from "#server/lib/data-folder.ts";
import { createLogger } from "#server/lib/logger.ts";

/** A command was called in a way that it does not know. */
export class UsageError extends Error {}

/** Who acts, as the audit log names it. */
export const commandLine: Actor = {
  user: { id: null, email: "command line" },
  requestId: "npm run admin",
};

/** What a command of `npm run admin` does. @param args what follows its name. */
export type Command = (config: Config, args: string[]) => Promise<void>;

/**
 * Opens the database for the time of some work.
 * @param options.isMigrated false brings the schema up to date first.
 */
export async function withDatabase<T>(
  config: Config,
  options: { isMigrated: boolean; maxConnections: number },
  work: (database: OpenDatabase) => Promise<T>,
): Promise<T> {
  await ensureDataFolder(config.dataDir);
  if (config.databaseUrl !== null) await checkServer(config.databaseUrl);
  const database = await openDatabase(config, createLogger("error"), options);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
