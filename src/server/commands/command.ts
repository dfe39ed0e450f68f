import type { Config } from "../config.ts";
import { checkServer } from "../db/check-server.ts";
import { openDatabase, type OpenDatabase } from "../db/open-database.ts";
import type { Actor } from "../lib/actor.ts";
import { ensureDataFolder } from "../lib/data-folder.ts";
import { createLogger } from "../lib/logger.ts";

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
