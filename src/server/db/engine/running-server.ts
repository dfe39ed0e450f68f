import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "#server/lib/logger.ts";
import type { Binaries } from "./binaries.ts";
import { EngineError } from "./engine-error.ts";
import {
  isAlive,
  isClusterServer,
  listClusterServers,
  postmasterPath,
  readPostmasterFile,
} from "./postmaster-file.ts";
import type { Launch } from "./privileges.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";
import { makeSocketDir, socketName } from "./socket-dir.ts";

export interface EngineParts {
  clusterDir: string;
  socketDir: string;
  password: string;
  binaries: Binaries;
  launch: Launch;
  logger: Logger;
  isDurable: boolean;
  /** Time that the backends of a killed server get to end on their own. */
  orphanGraceMs: number;
}

/** Server that accepts connections, started by this or another process. */
export interface RunningServer {
  pid: number;
  socketDir: string;
  password: string;
  /** Null if another process started it. */
  own: ServerProcess | null;
}

const pollMs = 20;
const reportAfterMs = 5_000;
const youngLockMs = 1_000;
// Long, because replaying a gigabyte of log after a crash takes minutes on a slow disk.
const maxWaitMs = 10 * 60_000;

/**
 * Adopts this cluster's running server. Waits for one that is shutting down. Otherwise starts one.
 * @throws EngineError with the server's error if it can't run.
 */
export async function findOrStartServer(
  parts: EngineParts,
  isWanted: () => boolean,
): Promise<RunningServer> {
  const { clusterDir, logger } = parts;
  const startedAt = performance.now();
  let own: ServerProcess | null = null;
  let isReported = false;
  for (;;) {
    const elapsedMs = performance.now() - startedAt;
    if (elapsedMs > maxWaitMs) throw new EngineError("The database did not become ready.");

    const seen = await readPostmasterFile(clusterDir);
    const isLive = seen !== null && (await isClusterServer(seen.pid, clusterDir));
    // If the server is no longer wanted, returns it before it is ready so that it can be stopped.
    const wasAbandoned = own !== null && !isWanted();
    // Another process may have started a server first. This process's server then ends by itself.
    const isOther = own !== null && isLive && !own.canBe(seen.pid);
    if (isLive && !isOther && (seen.status === "ready" || wasAbandoned)) {
      const socketDir = seen.socketDir || parts.socketDir;
      return { pid: seen.pid, socketDir, password: parts.password, own };
    }
    if (!isReported && elapsedMs > reportAfterMs) {
      isReported = true;
      logger.info(`waiting for the database (${isLive ? seen.status : "not running yet"})`);
    }
    if (own?.hasExited() === true) {
      await handleFailedStart(parts, own.lastLines(), elapsedMs);
      own = null;
    }
    if (own === null && !isWanted()) throw new EngineError("The database is being stopped.");
    // Waits while another server is starting or stopping.
    if (own === null && !isLive) {
      // The folder may be missing, because the process that stopped the last server deleted it, or
      // a cleaner of temporary files did.
      await makeSocketDir(parts.socketDir, parts.launch);
      own = startServerProcess(parts);
    }
    await pause(pollMs);
  }
}

/**
 * Fixes the cause of a failed start and returns so that it can be retried, or throws EngineError.
 */
async function handleFailedStart(
  parts: EngineParts,
  said: string[],
  elapsedMs: number,
): Promise<void> {
  const text = said.join("\n");
  if (/pre-existing shared memory block|is still in use/.test(text)) {
    // Backends of a killed server end at their next wait, but not during a long query.
    if (elapsedMs > parts.orphanGraceMs) await endOrphans(parts.clusterDir);
    await pause(100);
    return;
  }
  if (
    /lock file .* (already exists|is empty)|could not (create|open|read) lock file .* No such/.test(
      text,
    )
  ) {
    await removeForeignLocks(parts);
    await pause(pollMs);
    return;
  }
  const reason = said.findLast((line) => /FATAL|PANIC|error|not found|cannot/i.test(line));
  throw new EngineError(
    `The database did not start: ${reason ?? said.at(-1) ?? "it ended without a message"}`,
    text,
  );
}

/**
 * Removes stale lock files. After a restart of the machine, a lock file may be empty or contain
 * another program's process id, and PostgreSQL then refuses to start. Leaves the lock of a running
 * server, and a lock that is being written.
 */
async function removeForeignLocks({ clusterDir, socketDir }: EngineParts): Promise<void> {
  const path = postmasterPath(clusterDir);
  const seen = await readPostmasterFile(clusterDir);
  if (seen === null) {
    const info = await stat(path).catch(() => null);
    if (info !== null && Date.now() - info.mtimeMs < youngLockMs) return;
    await rm(path, { force: true });
  } else {
    if (await isClusterServer(seen.pid, clusterDir)) return;
    if (isAlive(seen.pid)) await rm(path, { force: true });
  }
  await rm(join(socketDir, `${socketName}.lock`), { force: true });
}

/** Kills the backends of a dead server. Committed data is safe in the server's write-ahead log. */
async function endOrphans(clusterDir: string): Promise<void> {
  const seen = await readPostmasterFile(clusterDir);
  if (seen !== null && (await isClusterServer(seen.pid, clusterDir))) return;
  for (const pid of await listClusterServers(clusterDir)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // The process has already ended.
    }
  }
}
