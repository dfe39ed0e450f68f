import cluster from "node:cluster";
import { ConfigError, readConfig } from "./config.ts";
import type { Context } from "./context.ts";
import type { AnyJobDefinition } from "./jobs/job-definition.ts";
import { createLogger } from "./lib/logger.ts";
import { OperatorError } from "./lib/operator-error.ts";
import { outliveReaders, type Say } from "./processes/say.ts";

export interface ServerOptions {
  /** Changes a job before this process runs it. */
  adaptJob?: (job: AnyJobDefinition) => AnyJobDefinition;
  /**
   * Called when the server accepts requests, in the process that runs the jobs. The signal fires when
   * it begins to stop.
   */
  onReady?: (server: { context: Context; say: Say; signal: AbortSignal }) => Promise<void>;
}

/**
 * Runs the program until it is stopped. A failed start prints one message and ends the process.
 * With several web processes, each of them and the one for jobs calls this again as a child.
 */
export async function startServer(options: ServerOptions = {}): Promise<void> {
  outliveReaders();
  try {
    const config = readConfig(process.env);
    if (config.s3 !== null) {
      throw new ConfigError(
        "S3_ENDPOINT: object storage is not supported by this version; leave the S3 variables unset and media is kept in DATA_DIR.",
      );
    }
    const logger = createLogger(config.logLevel);
    // Imported here: the primary process needs little of the program, and so little memory.
    if (cluster.isPrimary && config.webProcesses > 1) {
      const { startPrimary } = await import("./processes/start-primary.ts");
      await startPrimary(config, logger);
    } else {
      const { serve } = await import("./serve.ts");
      await serve(config, logger, options);
    }
  } catch (error) {
    process.stderr.write(`${describeFailure(error)}\n`);
    process.exit(1);
  }
}

function describeFailure(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") {
    return `PORT: ${process.env["PORT"] ?? 3000} is in use by another program; give another one.`;
  }
  return `Kinora could not start: ${error instanceof Error ? error.stack : String(error)}`;
}
