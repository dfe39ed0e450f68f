import { existsSync } from "node:fs";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "../../lib/logger.ts";
import type { DatabaseTarget } from "../connection.ts";
import { findBinaries } from "./binaries.ts";
import { ensureCluster } from "./cluster.ts";
import {
  countOtherClients,
  ensureDatabase,
  findOwner,
  isConnectionLost,
} from "./engine-queries.ts";
import { errorCode, EngineError } from "./engine-error.ts";
import { isAlive, isServerOf } from "./postmaster-file.ts";
import { type Launch, checkReachable, findLaunch } from "./privileges.ts";
import {
  type EngineParts,
  type RunningServer,
  findOrStartServer,
  pause,
} from "./running-server.ts";
import { makeSocketDir, removeSocketDir, socketName } from "./socket-dir.ts";

/** The embedded PostgreSQL, kept running for as long as this process wants it. */
export interface Engine {
  socketDir: string;
  /** For `createPool`. */
  target: DatabaseTarget & { socketDir: string };
  /** The server's process id; it changes when the server had to be started again. */
  pid(): number;
  /** True where this process started the server, false where it uses one of another process. */
  isOwner(): boolean;
  /**
   * Lets go of the server: ends it if it is ours (at most about six seconds) or if its owner is
   * dead and nobody else uses it. Calls after the first do nothing. Close pools before.
   */
  stop(): Promise<void>;
}

export interface EngineOptions {
  /** The cluster lives in `postgres` below it. Made if missing. */
  dataDir: string;
  logger: Logger;
  /** False gives up safety for speed: for throw-away databases of tests only. */
  isDurable?: boolean;
  /** For tests: how programs are started (found out by default), and how patient to be. */
  launch?: Launch;
  orphanGraceMs?: number;
  socketCheckMs?: number;
}

const adoptedPollMs = 250;
const longestBackOffMs = 5_000;
const stableAfterMs = 30_000;

/**
 * Starts (or adopts) the embedded PostgreSQL and watches over it: when the server dies, it is
 * started again until `stop` is called.
 * @throws EngineError with a message for people when it cannot run here.
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { logger, isDurable = true, orphanGraceMs = 5_000, socketCheckMs = 5_000 } = options;
  const dataDir = await makeDataDir(options.dataDir);
  const [launch, binaries] = await Promise.all([
    options.launch ?? findLaunch(),
    findBinaries(join(dataDir, "postgres-lib")),
  ]);
  await checkReachable(launch, join(dataDir, "postgres"));
  await checkReachable(launch, binaries.postgres);
  const clusterDir = await ensureCluster(dataDir, binaries, launch, isDurable);
  const socketDir = await makeSocketDir(clusterDir, launch);
  const parts: EngineParts = {
    clusterDir,
    socketDir,
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
  // Restarts keep the address that the pools were given.
  parts.socketDir = server.socketDir;

  const watching = (async () => {
    let failures = 0;
    for (;;) {
      const since = performance.now();
      const reason = await untilLost(server, clusterDir, socketCheckMs, stopRequest.promise);
      if (isStopping) return;
      logger.warn({ reason, pid: server.pid }, "the database engine ended, starting it again");
      if (performance.now() - since > stableAfterMs) failures = 0;
      for (;;) {
        if (failures > 0) {
          const backOffMs = Math.min(longestBackOffMs, 100 * 2 ** failures);
          await Promise.race([pauseUnref(backOffMs), stopRequest.promise]);
        }
        failures += 1;
        if (isStopping) return;
        try {
          server = await findOrStartServer(parts, wanted);
          break;
        } catch (error) {
          if (isStopping) return;
          logger.error({ err: error }, "the database engine cannot be started, trying again");
        }
      }
      logger.info({ pid: server.pid }, "the database engine runs again");
    }
  })();

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
    target: { socketDir: server.socketDir, database: "kinora" },
    pid: () => server.pid,
    isOwner: () => server.own !== null,
    stop,
  };
}

/** A server that answers, with our database in it. */
async function findReadyServer(parts: EngineParts): Promise<RunningServer> {
  for (let attempt = 1; ; attempt += 1) {
    const server = await findOrStartServer(parts, () => true);
    try {
      // Right after the death of its owner it may not have begun to end yet: give it a moment.
      const isEnding = server.own === null && attempt <= 3 && (await isOwnerDead(server));
      if (!isEnding) {
        await ensureDatabase(server.socketDir);
        return server;
      }
      await pause(150);
    } catch (error) {
      // It had said "ready" and then began to end, because its owner did: look again.
      if (attempt === 100 || !isConnectionLost(error)) throw error;
      await pause(50);
    }
  }
}

async function makeDataDir(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true });
    return await realpath(path);
  } catch (error) {
    throw new EngineError(
      `The data folder ${path} cannot be used (${errorCode(error) ?? "unknown reason"}).`,
      error,
    );
  }
}

/** Resolves when the server is gone, or when nobody wants it any more. */
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
        void isServerOf(server.pid, clusterDir).then((isLive) => {
          if (!isLive) resolve("its owner ended");
        });
      });
      return;
    }
    void server.own.exited.then(resolve);
    // A cleaner of temporary files may take the socket; only a new start brings it back.
    every(socketCheckMs, () => {
      if (!existsSync(join(server.socketDir, socketName))) signal(server.pid, "SIGINT");
    });
  });
  const reason = await lost;
  for (const timer of timers) clearInterval(timer);
  return reason;
}

/** True if the process that started this server is dead and no other one talks to it. */
async function isAbandoned(server: RunningServer): Promise<boolean> {
  try {
    return (await isOwnerDead(server)) && (await countOtherClients(server.socketDir)) === 0;
  } catch {
    return false;
  }
}

async function isOwnerDead(server: RunningServer): Promise<boolean> {
  const ownerPid = await findOwner(server.socketDir);
  return ownerPid === null || !isAlive(ownerPid);
}

/** Fast shutdown, then an immediate one (recovery at the next start, nothing lost), then force. */
async function endServer(server: RunningServer, clusterDir: string, logger: Logger): Promise<void> {
  const isOver = async () => server.own?.hasExited() ?? !(await isServerOf(server.pid, clusterDir));
  for (const [name, waitMs] of [
    ["SIGINT", 3_500],
    ["SIGQUIT", 1_500],
    ["SIGKILL", 1_000],
  ] as const) {
    if (name !== "SIGINT") logger.warn(`the database engine is slow to end, sending ${name}`);
    signal(server.pid, name);
    const until = performance.now() + waitMs;
    while (performance.now() < until) {
      if (await isOver()) return;
      await pause(10);
    }
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended already.
  }
}

/** Waits without keeping the process alive. */
function pauseUnref(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
