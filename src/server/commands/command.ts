import type { Config } from "#server/config.ts";
import { checkServer } from "#server/db/check-server.ts";
import { openDatabase, type OpenDatabase } from "#server/db/open-database.ts";
import type { Actor } from "#server/lib/actor.ts";
import { ensureDataFolder } from "#server/lib/data-folder.ts";
import { createLogger } from "#server/lib/logger.ts";

/** Error for invalid arguments of a command. */
export class UsageError extends Error {}

/** Actor of commands in the audit log. */
export const commandLine: Actor = {
  user: { id: null, email: "command line" },
  requestId: "npm run admin",
};

/**
 * Command of `npm run admin`. @param args arguments after its name. @returns "failed" if it has
 * reported a failure.
 */
export type Command = (config: Config, args: string[]) => Promise<"failed" | void>;

/**
 * Opens the database while `work` runs.
 * @param options.isMigrated false updates the schema first.
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
