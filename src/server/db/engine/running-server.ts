import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "../../lib/logger.ts";
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
import { socketName } from "./socket-dir.ts";

export interface EngineParts {
  clusterDir: string;
  socketDir: string;
  binaries: Binaries;
  launch: Launch;
  logger: Logger;
  isDurable: boolean;
  /** How long backends of a killed server get to end by themselves. */
  orphanGraceMs: number;
}

/** A server that answers: our own, or one that another process started and we use too. */
export interface RunningServer {
  pid: number;
  socketDir: string;
  /** Null when another process started it. */
  own: ServerProcess | null;
}

const pollMs = 20;
const reportAfterMs = 5_000;
const youngLockMs = 1_000;
// Replaying a gigabyte of log after a crash takes minutes on a slow disk, not hours.
const patienceMs = 10 * 60_000;

/**
 * Adopts the server of this cluster if one lives, waits for one that is shutting down, and starts
 * one otherwise.
 * @throws EngineError with the server's own words when it cannot run.
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
    if (elapsedMs > patienceMs) throw new EngineError("The database did not become ready.");

    const seen = await readPostmasterFile(clusterDir);
    const isLive = seen !== null && (await isServerOf(seen.pid, clusterDir));
    // One that we have just started is handed over unready when nobody wants it: to be ended.
    const isGivenUp = own !== null && !isWanted();
    // Ours may have lost a race against that of another process, and be about to end.
    const isOther = own !== null && isLive && !own.canBe(seen.pid);
    if (isLive && !isOther && (seen.status === "ready" || isGivenUp)) {
      return { pid: seen.pid, socketDir: seen.socketDir || parts.socketDir, own };
    }
    if (!isReported && elapsedMs > reportAfterMs) {
      isReported = true;
      logger.info(`waiting for the database (${isLive ? seen.status : "not running yet"})`);
    }
    if (own?.hasExited() === true) {
      await clearTheWay(parts, own.lastLines(), elapsedMs);
      own = null;
    }
    if (own === null && !isWanted()) throw new EngineError("The database is being stopped.");
    // While another one starts or stops there is nothing to do but wait.
    if (own === null && !isLive) own = startServerProcess(parts);
    await pause(pollMs);
  }
}

/** Decides what to do about a server that ended before it was ready. Returning means: try again. */
async function clearTheWay(parts: EngineParts, said: string[], elapsedMs: number): Promise<void> {
  const text = said.join("\n");
  if (/pre-existing shared memory block|is still in use/.test(text)) {
    // Backends of a killed server. They notice at their next wait; a long query may not.
    if (elapsedMs > parts.orphanGraceMs) await endOrphans(parts.clusterDir);
    await pause(100);
    return;
  }
  if (
    /lock file .* (already exists|is empty)|could not (open|read) lock file .* No such/.test(text)
  ) {
    await removeForeignLocks(parts);
    await pause(pollMs);
    return;
  }
  const reason = said.findLast((line) => /FATAL|PANIC|error|not found|cannot/i.test(line));
  throw new EngineError(
    `The database did not start: ${reason ?? said.at(-1) ?? "it ended without a word"}`,
    text,
  );
}

/**
 * After a restart of the machine the number in a left-over lock may belong to a stranger, or the
 * file may be empty, and PostgreSQL then refuses to start. A lock that a live server holds, or that
 * is just being written, is left alone.
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

/** Ends what is left of a server that died. Nothing is lost: its log was written before it spoke. */
async function endOrphans(clusterDir: string): Promise<void> {
  const seen = await readPostmasterFile(clusterDir);
  if (seen !== null && (await isServerOf(seen.pid, clusterDir))) return;
  for (const pid of await listServersOf(clusterDir)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended by itself.
    }
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
