import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "#server/lib/logger.ts";
import type { Binaries } from "./binaries.ts";
import { EngineError } from "./engine-error.ts";
import {
  isAlive,
  isServerOf,
  listServersOf,
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
  /** How long backends of a killed server may take to end by themselves. */
  orphanGraceMs: number;
}

/** A server that accepts connections, of this process or of another one. */
export interface RunningServer {
  pid: number;
  socketDir: string;
  password: string;
  /** Null when another process started it. */
  own: ServerProcess | null;
}

const pollMs = 20;
const reportAfterMs = 5_000;
const youngLockMs = 1_000;
// Replaying a gigabyte of log after a crash takes minutes on a slow disk.
const maxWaitMs = 10 * 60_000;

/**
 * Adopts the server of this cluster if one runs, waits for one that is shutting down, and starts
 * one otherwise.
 * @throws EngineError with the error of the server when it cannot run.
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
    const isLive = seen !== null && (await isServerOf(seen.pid, clusterDir));
    // A server that is no longer wanted is returned before it is ready, so that it can be stopped.
    const isGivenUp = own !== null && !isWanted();
    // Another process may have started one first; the own server then ends by itself.
    const isOther = own !== null && isLive && !own.canBe(seen.pid);
    if (isLive && !isOther && (seen.status === "ready" || isGivenUp)) {
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
    // While another server starts or stops, wait.
    if (own === null && !isLive) {
      // The process that stopped the last server, or a cleaner of temporary files, may have removed it.
      await makeSocketDir(parts.socketDir, parts.launch);
      own = startServerProcess(parts);
    }
    await pause(pollMs);
  }
}

/** Removes the cause of a failed start and returns for another attempt, or throws EngineError. */
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
 * After a restart of the machine an old lock file may be empty or hold the process id of another
 * program, and PostgreSQL then refuses to start. The lock of a running server stays, and so does one
 * that is just being written.
 */
async function removeForeignLocks({ clusterDir, socketDir }: EngineParts): Promise<void> {
  const path = postmasterPath(clusterDir);
  const seen = await readPostmasterFile(clusterDir);
  if (seen === null) {
    const info = await stat(path).catch(() => null);
    if (info !== null && Date.now() - info.mtimeMs < youngLockMs) return;
    await rm(path, { force: true });
  } else {
    if (await isServerOf(seen.pid, clusterDir)) return;
    if (isAlive(seen.pid)) await rm(path, { force: true });
  }
  await rm(join(socketDir, `${socketName}.lock`), { force: true });
}

/** Kills the backends of a dead server. Committed data is safe in its write-ahead log. */
async function endOrphans(clusterDir: string): Promise<void> {
  const seen = await readPostmasterFile(clusterDir);
  if (seen !== null && (await isServerOf(seen.pid, clusterDir))) return;
  for (const pid of await listServersOf(clusterDir)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has already ended.
    }
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
