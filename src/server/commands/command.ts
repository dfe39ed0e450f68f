import { backupBeforeUpgrade } from "#server/backup/backup-before-upgrade.ts";
import type { Config } from "#server/config.ts";
import { checkServer } from "#server/db/check-server.ts";
import { openDatabase, type OpenDatabase } from "#server/db/open-database.ts";
import type { Actor } from "#server/features/audit/audit.service.ts";
import type { CommandSyntax, Given } from "#server/lib/command-line.mjs";
import { ensureDataFolder } from "#server/lib/data-folder.ts";
import { createLogger } from "#server/lib/logger.ts";

/** Actor of commands in the audit log. */
export const commandLine: Actor = {
  user: { id: null, email: "command line" },
  requestId: "npm run admin",
};

/** Command of `npm run admin`. */
export interface Command extends CommandSyntax {
  /**
   * @returns "failed" if it has reported a failure.
   * @throws UsageError for arguments that don't fit together.
   */
  run(config: Config, given: Given): Promise<"failed" | void>;
}

/**
 * Opens the database while `work` runs.
 * @param options.isMigrated false updates the schema first, after a backup of an embedded database.
 */
export async function withDatabase<T>(
  config: Config,
  options: { isMigrated: boolean; maxConnections: number },
  work: (database: OpenDatabase) => Promise<T>,
): Promise<T> {
  await ensureDataFolder(config.dataDir, { isProxied: config.accelRedirect !== null });
  if (config.databaseUrl !== null) await checkServer(config.databaseUrl);
  const database = await openDatabase(config, createLogger("error"), {
    ...options,
    // Standard output is for the lines of the command.
    beforeUpgrade: (db) =>
      backupBeforeUpgrade(db, {
        dataDir: config.dataDir,
        logger: createLogger("warn", process.stderr),
      }),
  });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
