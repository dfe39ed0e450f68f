import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { ConfigError, readConfig } from "./config.ts";
import { createContext } from "./context.ts";
import { EngineError } from "./db/engine/engine-error.ts";
import { seedDemoAds } from "../../demo/demo-ads.ts";
import { seedDemo } from "../../demo/seed-demo.ts";
import { heldBack } from "./jobs/job-definition.ts";
import { createPageRenderer } from "./site/pages/renderer.ts";
import { registerEverything } from "./routes.ts";
import { createLogger, type Logger } from "./lib/logger.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Longest time that running jobs get to end after a signal; then they are handed back anyway. */
const jobsStopMs = 3000;
/** After this the process ends whatever still holds it: nothing acknowledged depends on it. */
const hardStopMs = 4800;

/** What a person at the terminal reads; the log itself is for machines. */
function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function run(): Promise<void> {
  const config = readConfig(process.env);
  const logger: Logger = createLogger(config.logLevel);
  if (config.s3 !== null) {
    throw new ConfigError(
      "S3_ENDPOINT: object storage is not supported by this version; leave the S3 variables unset and media is kept in DATA_DIR.",
    );
  }
  const context = await createContext({ config, logger });
  const { app } = context.http;

  if (config.admin !== null) {
    const result = await context.auth.ensureAdmin(config.admin.email, config.admin.password);
    if (result === "created") logger.info("admin account created from the environment");
  }

  const isWeb = config.role !== "worker";
  const drawn = Promise.withResolvers<void>();
  if (isWeb) {
    const renderer = await createPageRenderer({ mode: config.mode, root });
    if (renderer.middleware !== undefined) {
      const { middleware } = renderer;
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
  if (config.role !== "web") {
    // While the demonstration is drawn, both cores belong to it and to what makes its clips play.
    await context.queue.work(
      context.jobs.map((job) =>
        config.demo && job.name === "video.finish" ? heldBack(job, drawn.promise) : job,
      ),
    );
    await context.queue.startSchedules(context.db, context.jobs);
  }

  const demo = new AbortController();
  let isStopping = false;
  const stop = (reason: string) => {
    if (isStopping) return;
    isStopping = true;
    demo.abort();
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
  // The launcher holds the other end: when it is gone, nobody would stop us.
  if (process.channel !== undefined) process.on("disconnect", () => stop("launcher ended"));

  if (isWeb) {
    const address = app.server.address();
    const port = typeof address === "object" && address !== null ? address.port : config.port;
    const shown = config.siteUrl.startsWith("http://localhost")
      ? `http://localhost:${port}`
      : config.siteUrl;
    say(`Kinora is ready at ${shown}`);
    const token = await context.auth.issueSetupToken();
    if (token !== null) {
      say(
        `No admin yet. Create the first one here, once, within a day: ${shown}/setup?token=${token}`,
      );
    }
  } else say("Kinora worker is ready.");

  if (config.demo) {
    await seedDemo({
      ...context,
      ffmpegPath: context.media.report.paths.ffmpeg,
      seedAds: (workDir) =>
        seedDemoAds({
          ...context,
          ffmpegPath: context.media.report.paths.ffmpeg,
          workDir,
          signal: demo.signal,
        }),
      say,
      signal: demo.signal,
    }).catch((error: unknown) => {
      if (!demo.signal.aborted) logger.error({ err: error }, "the demonstration catalogue stopped");
    });
    drawn.resolve();
  }
}

run().catch((error: unknown) => {
  if (error instanceof ConfigError || error instanceof EngineError) {
    process.stderr.write(`${error.message}\n`);
  } else if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") {
    process.stderr.write(
      `PORT: ${process.env["PORT"] ?? 3000} is in use by another program; give another one.\n`,
    );
  } else {
    process.stderr.write(
      `Kinora could not start: ${error instanceof Error ? error.stack : String(error)}\n`,
    );
  }
  process.exit(1);
});
