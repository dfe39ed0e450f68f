import cluster from "node:cluster";
import { once } from "node:events";
import type { Config } from "#server/config.ts";
import { toConnectionString, type Db } from "#server/db/connection.ts";
import { openDatabase } from "#server/db/open-database.ts";
import type { Logger } from "#server/lib/logger.ts";
import { readyMessage } from "./child.ts";
import { metricsAddress } from "./listen-address.ts";
import type { OperationsServer } from "./operations-server.ts";
import { createSay } from "./say.ts";
import { stopOnSignals } from "./stop-on-signals.ts";
import { createSupervisor, type Child, type ProcessKind } from "./supervisor.ts";

/**
 * Starts the primary process if there are several. It owns the embedded engine and restarts the job
 * process and the web processes, which share the port.
 */
export async function startPrimary(
  config: Config,
  logger: Logger,
  beforeUpgrade: (db: Db) => Promise<unknown>,
): Promise<void> {
  const { target, db, close } = await openDatabase(config, logger, {
    maxConnections: 1,
    beforeUpgrade,
  });
  const operations = await startOperations(config, db);
  const env = {
    WEB_PROCESSES: String(config.webProcesses),
    DATABASE_URL: toConnectionString(target),
  };
  const supervisor = createSupervisor({
    logger,
    drainS: config.drainS,
    launch: (kind) => launch(kind, env),
    giveUp(line) {
      process.stderr.write(`${line}\n`);
      void stop().finally(() => process.exit(1));
    },
  });
  const stop = async () => {
    await supervisor.stop();
    operations?.close();
    await close();
  };
  const signal = stopOnSignals({
    logger,
    stop,
    drainS: config.drainS,
    say: createSay(config),
  });

  // Starts one process first, so that a faulty configuration is reported only once.
  const exit = await supervisor.startFirst("web");
  if (signal.aborted) return;
  if (exit !== null) {
    if (!exit.reason.startsWith("exit code")) {
      process.stderr.write(`Kinora couldn't start: its first process ended with ${exit.reason}.\n`);
    }
    await close();
    process.exit(1);
  }
  for (let count = 1; count < config.webProcesses; count += 1) supervisor.start("web");
  if (config.role === "all") supervisor.start("jobs");
}

/** Imported here, so that the primary process stays small without metrics. */
async function startOperations(config: Config, db: Db): Promise<OperationsServer | null> {
  const address = metricsAddress(config);
  if (address === null) return null;
  const { startPrimaryOperations } = await import("./primary-operations.ts");
  return startPrimaryOperations(address, { config, db });
}

function launch(kind: ProcessKind, env: Record<string, string>): Child {
  const worker = cluster.fork({ ...env, ROLE: kind === "web" ? "web" : "worker" });
  // Sending to a dying process fails, but only its exit matters.
  worker.on("error", () => undefined);
  return {
    pid: worker.process.pid ?? 0,
    ready: new Promise((resolve) => {
      worker.on("message", (message) => {
        if (message === readyMessage) resolve();
      });
    }),
    exited: once(worker, "exit").then(([code, signal]: (string | number | null)[]) => ({
      reason: typeof signal === "string" ? signal : `exit code ${code}`,
      isClean: code === 0,
    })),
    stop: () => worker.process.kill("SIGTERM"),
    kill: () => worker.process.kill("SIGKILL"),
  };
}
