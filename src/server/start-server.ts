import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ConfigError, readConfig, type Config } from "./config.ts";
import { createContext, type Context } from "./context.ts";
import type { AnyJobDefinition } from "./jobs/job-definition.ts";
import { createLogger } from "./lib/logger.ts";
import { OperatorError } from "./lib/operator-error.ts";
import { registerEverything } from "./routes.ts";
import { createPageRenderer } from "./site/pages/create-page-renderer.ts";

export interface ServerOptions {
  /** Changes a job before this process runs it. */
  adaptJob?: (job: AnyJobDefinition) => AnyJobDefinition;
  /** Called when the server accepts requests. The signal fires when it begins to stop. */
  onReady?: (server: { context: Context; say: Say; signal: AbortSignal }) => Promise<void>;
}

/** Prints a line for the user at the terminal; the log is for machines. */
type Say = (line: string) => void;

const root = fileURLToPath(new URL("../..", import.meta.url));

/** How long running jobs may go on after a signal; then they are queued again. */
const jobsStopMs = 3000;
/** When the process ends even if something still holds it. Nothing acknowledged depends on it. */
const hardStopMs = 4800;

const say: Say = (line) => {
  process.stdout.write(`${line}\n`);
};

/** Runs the program until it is stopped. A failed start prints one message and ends the process. */
export async function startServer(options: ServerOptions = {}): Promise<void> {
  try {
    await start(options);
  } catch (error) {
    process.stderr.write(`${describeFailure(error)}\n`);
    process.exit(1);
  }
}

async function start({ adaptJob = (job) => job, onReady }: ServerOptions): Promise<void> {
  const config = readConfig(process.env);
  if (config.s3 !== null) {
    throw new ConfigError(
      "S3_ENDPOINT: object storage is not supported by this version; leave the S3 variables unset and media is kept in DATA_DIR.",
    );
  }
  const logger = createLogger(config.logLevel);
  const context = await createContext({ config, logger });

  if (config.admin !== null) {
    const result = await context.auth.accounts.ensureAdmin(
      config.admin.email,
      config.admin.password,
    );
    if (result === "created") logger.info("admin account created from the environment");
  }
  if (config.role !== "worker") await listen(context);
  if (config.role !== "web") {
    await context.queue.work(context.jobs.map(adaptJob));
    await context.queue.startSchedules(context.db, context.jobs);
  }
  const signal = stopOnSignals(context);

  if (config.role === "worker") say("Kinora worker is ready.");
  else {
    const url = shownUrl(context);
    say(`Kinora is ready at ${url}`);
    const token = await context.auth.issueSetupToken();
    if (token !== null) {
      say(
        `No admin yet. Create the first one here, once, within a day: ${url}/setup?token=${token}`,
      );
    }
  }
  await onReady?.({ context, say, signal });
}

async function listen(context: Context): Promise<void> {
  const { config, http } = context;
  const { app } = http;
  const renderer = await createPageRenderer({ mode: config.mode, root });
  const { middleware } = renderer;
  if (middleware !== undefined) {
    app.addHook("onRequest", (request, reply, done) => {
      if (request.url.startsWith("/api/") || request.url.startsWith("/media/")) return done();
      middleware(request.raw, reply.raw, (error) =>
        done(error instanceof Error ? error : undefined),
      );
    });
  }
  app.addHook("onClose", () => renderer.close());
  await registerEverything(context, { renderer, clientDir: join(root, "dist/client") });
  await app.listen({ port: config.port, host: config.host });
}

/** @returns a signal that fires when the process begins to stop. */
function stopOnSignals(context: Context): AbortSignal {
  const { logger } = context;
  const stopping = new AbortController();
  const stop = (reason: string) => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    say(`Stopping (${reason}) ...`);
    setTimeout(() => {
      logger.warn("did not stop in time; ending now");
      process.exit(1);
    }, hardStopMs).unref();
    context.stop(jobsStopMs).then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, "stopping failed");
        process.exit(1);
      },
    );
  };
  process.on("SIGINT", () => stop("SIGINT"));
  process.on("SIGTERM", () => stop("SIGTERM"));
  // The launcher holds the other end of the channel. Without it, no signal would reach this process.
  if (process.channel !== undefined) process.on("disconnect", () => stop("launcher ended"));
  return stopping.signal;
}

/** The address to open: the configured one, or localhost with the port that was really taken. */
function shownUrl({ config, http }: { config: Config; http: Context["http"] }): string {
  if (!config.siteUrl.startsWith("http://localhost")) return config.siteUrl;
  const address = http.app.server.address();
  const port = typeof address === "object" && address !== null ? address.port : config.port;
  return `http://localhost:${port}`;
}

function describeFailure(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") {
    return `PORT: ${process.env["PORT"] ?? 3000} is in use by another program; give another one.`;
  }
  return `Kinora could not start: ${error instanceof Error ? error.stack : String(error)}`;
}
