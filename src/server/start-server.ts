import cluster from "node:cluster";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readConfig, type Config } from "./config.ts";
import { ensureDataFolder } from "./lib/data-folder.ts";
import { createLogger } from "./lib/logger.ts";
import { OperatorError } from "./lib/app-error.ts";
import { checkListenAddress, metricsAddress, siteAddress } from "./processes/listen-address.ts";
import { logWarnings, outliveReaders } from "./processes/say.ts";
import type { ServerOptions } from "./serve.ts";
import { idName } from "./storage/storage.ts";

/**
 * Runs the program until it is stopped. A failed start prints one message and ends the process.
 * With several web processes, each of them and the job process calls this again as a child.
 */
export async function startServer(options: ServerOptions = {}): Promise<void> {
  outliveReaders();
  try {
    const config = readConfig(process.env);
    const logger = createLogger(config.logLevel);
    if (config.mode === "production") logWarnings(logger);
    if (cluster.isPrimary) await checkSurroundings(config);
    // Imported here, because the primary process needs little of the program and so little memory.
    if (cluster.isPrimary && config.webProcesses > 1) {
      const { startPrimary } = await import("./processes/start-primary.ts");
      await startPrimary(config, logger, async (db) => {
        const { backupBeforeUpgrade } = await import("./backup/backup-before-upgrade.ts");
        await backupBeforeUpgrade(db, { dataDir: config.dataDir, logger });
      });
    } else {
      const { serve } = await import("./serve.ts");
      await serve(config, logger, options);
    }
  } catch (error) {
    process.stderr.write(`${describeFailure(error)}\n`);
    process.exit(1);
  }
}

/**
 * Checks early for problems that the start would only find later: after creating a database, or by
 * waiting.
 */
async function checkSurroundings(config: Config): Promise<void> {
  await ensureDataFolder(config.dataDir, { isProxied: config.accelRedirect !== null });
  if (config.captionCommand !== null && config.role !== "web") {
    const { checkCaptionCommand } = await import("./media/check-caption-command.ts");
    await checkCaptionCommand(config.captionCommand, process.env["PATH"] ?? "");
  }
  if (config.role !== "worker") await checkListenAddress(siteAddress(config));
  const metrics = metricsAddress(config);
  if (metrics !== null) await checkListenAddress(metrics);
  if (config.databaseUrl !== null) {
    const { checkDatabases } = await import("./db/check-databases.ts");
    await checkDatabases(config);
  }
  // A site whose media are on disk can start without its bucket.
  if (config.s3 !== null && !existsSync(join(config.dataDir, "storage", idName))) {
    const { checkEndpoint } = await import("./storage/s3/check-endpoint.ts");
    await checkEndpoint(config.s3.endpoint);
  }
}

function describeFailure(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  return `Kinora couldn't start: ${error instanceof Error ? error.stack : String(error)}`;
}
