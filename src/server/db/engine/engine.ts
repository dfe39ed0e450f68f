import { existsSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ensureDataFolder } from "#server/lib/data-folder.ts";
import type { Logger } from "#server/lib/logger.ts";
import { findBinaries } from "./binaries.ts";
import { ensureCluster } from "./cluster.ts";
import {
  countOtherClients,
  ensureDatabase,
  findOwner,
  isConnectionLost,
  isWrongPassword,
} from "./engine-queries.ts";
import { EngineError } from "./engine-error.ts";
import { ensurePassword, requirePassword } from "./password.ts";
import { isAlive, isClusterServer, readPostmasterFile } from "./postmaster-file.ts";
import { type Launch, checkReachable, findLaunch } from "./privileges.ts";
import { type EngineParts, type RunningServer, findOrStartServer } from "./running-server.ts";
import { removeSocketDir, socketDirFor, socketName } from "./socket-dir.ts";

export interface EngineOptions {
  /** Folder that contains the cluster as `postgres`. Created if missing. */
  dataDir: string;
  logger: Logger;
  /** False is faster but unsafe. Only for temporary databases in tests. */
  isDurable?: boolean;
  /** Options for tests: how to start programs (detected by default), and time limits. */
  launch?: Launch;
  orphanGraceMs?: number;
  socketCheckMs?: number;
}

const adoptedPollMs = 250;
const maxBackOffMs = 5_000;
const stableAfterMs = 30_000;

/**
 * Starts or adopts the embedded PostgreSQL and monitors it. Restarts the server whenever it dies,
 * until `stop` is called.
 * @throws EngineError with a message for the operator if it can't run on this machine.
 */
export async function startEngine(options: EngineOptions) {
  const { logger, isDurable = true, orphanGraceMs = 5_000, socketCheckMs = 5_000 } = options;
  const dataDir = await makeDataDir(options.dataDir);
  const [launch, binaries] = await Promise.all([
    options.launch ?? findLaunchBeside(join(dataDir, "postgres")),
    findBinaries(join(dataDir, "postgres-lib")),
  ]);
  // The program comes first, because the default data folder moves with it.
  await checkReachable(
    launch,
    binaries.postgres,
    "move Kinora's folder to one that all users can enter, for example /opt/kinora",
  );
  await checkReachable(launch, join(dataDir, "postgres"), "set DATA_DIR to another folder");
  const clusterDir = await ensureCluster(dataDir, binaries, launch, isDurable);
  const socketDir = socketDirFor(await realpath(clusterDir));
  const parts: EngineParts = {
    clusterDir,
    socketDir,
    password: await ensurePassword(clusterDir, launch),
    binaries,
    launch,
    logger,
    isDurable,
    orphanGraceMs,
  };

  let isStopping = false;
  const wanted = () => !isStopping;
  const stopRequest = Promise.withResolvers<void>();
  let server = await findReadyServer(parts);
  // The address stays the same after a restart, because the pools use it.
  parts.socketDir = server.socketDir;

  const watching = (async () => {
    let failures = 0;
    for (;;) {
      const since = performance.now();
      const reason = await untilLost(server, clusterDir, socketCheckMs, stopRequest.promise);
      if (isStopping) return;
      logger.warn({ reason, pid: server.pid }, "the database engine exited, restarting it");
      if (performance.now() - since > stableAfterMs) failures = 0;
      for (;;) {
        if (failures > 0) {
          const backOffMs = Math.min(maxBackOffMs, 100 * 2 ** failures);
          await Promise.race([wait(backOffMs, undefined, { ref: false }), stopRequest.promise]);
        }
        failures += 1;
        if (isStopping) return;
        try {
          server = await findOrStartServer(parts, wanted);
          break;
        } catch (error) {
          if (isStopping) return;
          logger.error({ err: error }, "couldn't start the database engine, retrying");
        }
      }
      logger.info({ pid: server.pid }, "the database engine is running again");
    }
  })();

  /**
   * Releases the server. Stops it, within about six seconds, if this process started it, or if its
   * owner is dead and it has no other clients. Later calls do nothing. Close pools first.
   */
  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    stopRequest.resolve();
    await watching;
    if (server.own !== null || (await isAbandoned(server))) {
      await endServer(server, clusterDir, logger);
      await removeSocketDir(socketDir);
    }
  };
  return {
    socketDir: server.socketDir,
    /** Target for `createPool`. */
    target: { socketDir: server.socketDir, database: "kinora", password: parts.password },
    /** Returns the server's process id, which changes when the server restarts. */
    pid: (): number => server.pid,
    /**
     * Returns whether this process started the server. Otherwise it uses another process's server.
     */
    isOwner: (): boolean => server.own !== null,
    stop,
  };
}

/** Embedded PostgreSQL. It keeps running until `stop`. */
export type Engine = Awaited<ReturnType<typeof startEngine>>;

/**
 * Returns how to start programs. If root runs a command while another user's service is running,
 * the server's files must remain that user's.
 */
async function findLaunchBeside(clusterDir: string): Promise<Launch> {
  const launch = await findLaunch();
  const seen = await readPostmasterFile(clusterDir);
  if (seen === null || !(await isClusterServer(seen.pid, clusterDir))) return launch;
  return { ...launch, fileOwnerId: (await stat(clusterDir)).uid };
}

/** Returns a server that accepts connections and has the database `kinora`. */
async function findReadyServer(parts: EngineParts): Promise<RunningServer> {
  for (let attempt = 1; ; attempt += 1) {
    const server = await findOrStartServer(parts, () => true);
    try {
      // A server whose owner has died may accept connections for a moment, or longer on a busy
      // machine. Check it again shortly.
      const isEnding = server.own === null && attempt <= 10 && (await isOwnerDead(server));
      if (!isEnding) {
        await requirePassword(parts.clusterDir, server, parts.launch);
        await ensureDatabase(server);
        return server;
      }
      await wait(150);
    } catch (error) {
      // It was ready but is now shutting down because its owner ended. Try again.
      if (isWrongPassword(error)) throw explainPassword(parts.clusterDir, error);
      if (attempt === 100 || !isConnectionLost(error)) throw error;
      await wait(50);
    }
  }
}

function explainPassword(clusterDir: string, error: unknown): EngineError {
  return new EngineError(
    `The database in ${clusterDir} refuses the password in its file kinora-password. Restore that file, or reset the password: write "local all all trust" into pg_hba.conf there and start.`,
    error,
  );
}

async function makeDataDir(path: string): Promise<string> {
  await ensureDataFolder(path);
  return await realpath(path);
}

/** Resolves when the server has ended or `stop` is called. */
async function untilLost(
  server: RunningServer,
  clusterDir: string,
  socketCheckMs: number,
  stopRequest: Promise<void>,
): Promise<string> {
  const timers: NodeJS.Timeout[] = [];
  const every = (ms: number, check: () => void) => timers.push(setInterval(check, ms).unref());
  const lost = new Promise<string>((resolve) => {
    void stopRequest.then(() => resolve("stopped"));
    if (server.own === null) {
      every(adoptedPollMs, () => {
        void isClusterServer(server.pid, clusterDir).then((isLive) => {
          if (!isLive) resolve("its owner exited");
        });
      });
      return;
    }
    void server.own.exited.then(resolve);
    // A cleaner of temporary files may delete the socket. Only a restart creates it again.
    every(socketCheckMs, () => {
      if (!existsSync(join(server.socketDir, socketName))) signal(server.pid, "SIGINT");
    });
  });
  const reason = await lost;
  for (const timer of timers) clearInterval(timer);
  return reason;
}

/** Returns whether the process that started this server is dead and no other client uses it. */
async function isAbandoned(server: RunningServer): Promise<boolean> {
  try {
    return (await isOwnerDead(server)) && (await countOtherClients(server)) === 0;
  } catch {
    return false;
  }
}

async function isOwnerDead(server: RunningServer): Promise<boolean> {
  const ownerPid = await findOwner(server);
  return ownerPid === null || !isAlive(ownerPid);
}

/**
 * Requests a fast shutdown, then an immediate one (which needs recovery at the next start but loses
 * no data), then kills the server.
 */
async function endServer(server: RunningServer, clusterDir: string, logger: Logger): Promise<void> {
  const isOver = async () =>
    server.own?.hasExited() ?? !(await isClusterServer(server.pid, clusterDir));
  for (const [name, waitMs] of [
    ["SIGINT", 3_500],
    ["SIGQUIT", 1_500],
    ["SIGKILL", 1_000],
  ] as const) {
    if (name !== "SIGINT") logger.warn(`the database engine is slow to stop, sending ${name}`);
    signal(server.pid, name);
    const until = performance.now() + waitMs;
    while (performance.now() < until) {
      if (await isOver()) return;
      await wait(10);
    }
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The server has already ended.
  }
}
