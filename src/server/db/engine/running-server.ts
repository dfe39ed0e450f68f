import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { spawn, type ChildProcess } from "node:child_process";
import { Socket } from "node:net";
import { createInterface } from "node:readline";
import { totalmem } from "node:os";
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
import { makeSocketDir, socketName } from "./socket-dir.ts";
import { identity } from "./command.ts";

const gigabyte = 1024 ** 3;

/**
 * Returns the server's settings. They are passed on the command line, because they belong to the
 * program and not to the data.
 * @param isDurable false only for temporary databases in tests.
 */
export function serverSettings(
  socketDir: string,
  isDurable: boolean,
  memoryBytes: number = totalmem(),
): Record<string, string> {
  return {
    listen_addresses: "",
    port: "5432",
    // A list, in which quotes protect commas and spaces.
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: "0700",
    // Owner of this server. Processes that adopt the server query it.
    "kinora.owner": String(process.pid),

    max_connections: "100",
    // Files in the cluster. systemd-logind deletes a user's files in /dev/shm after the last logout.
    dynamic_shared_memory_type: "mmap",
    shared_buffers: memoryBytes >= 4 * gigabyte ? "256MB" : "128MB",
    effective_cache_size: `${Math.max(256, Math.round(memoryBytes / 3 / 1024 ** 2))}MB`,
    work_mem: "8MB",
    maintenance_work_mem: "64MB",
    random_page_cost: "1.1",
    // All queries are short, so compilation and parallel workers cost more than they gain.
    jit: "off",
    max_parallel_workers_per_gather: "0",
    // Reads as earlier releases of PostgreSQL do. Three more processes would only wait.
    io_method: "sync",
    max_logical_replication_workers: "0",

    fsync: isDurable ? "on" : "off",
    full_page_writes: isDurable ? "on" : "off",
    synchronous_commit: isDurable ? "on" : "off",
    wal_compression: "pglz",
    min_wal_size: "64MB",
    max_wal_size: "1GB",
    // Each visit starts a process, and three databases are visited per interval.
    autovacuum_naptime: "3min",
    autovacuum_vacuum_scale_factor: "0.05",
    autovacuum_analyze_scale_factor: "0.05",

    timezone: "UTC",
    log_timezone: "UTC",
    logging_collector: "off",
    // The application reports failed statements. The server only logs its own events.
    log_min_messages: "log",
    log_checkpoints: "off",
    log_line_prefix: "",
  };
}

function settingArgs(settings: Record<string, string>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

const keptLines = 40;
const lastOutputMs = 200;
/** Messages that each connection gets during a requested shutdown. */
const shutdownMessages = /terminating connection due to administrator command|is shutting down/;

/** Starts the server and returns immediately. `postmaster.pid` shows when it is ready. */
function startServerProcess(options: {
  clusterDir: string;
  socketDir: string;
  binaries: Binaries;
  launch: Launch;
  logger: Logger;
  isDurable: boolean;
}) {
  const { clusterDir, socketDir, binaries, launch, logger, isDurable } = options;
  const command = launch.wrapServer(binaries.postgres, [
    "-D",
    clusterDir,
    ...settingArgs(serverSettings(socketDir, isDurable)),
  ]);
  const child = spawn(command.file, command.args, {
    ...identity(command),
    cwd: clusterDir,
    env: { ...process.env, ...binaries.env, LC_ALL: "C" },
    // A separate session, so that Ctrl-C doesn't stop the server before the last query.
    detached: true,
    stdio: [command.watchesStdin ? "pipe" : "ignore", "ignore", "pipe"],
  });

  const lines: string[] = [];
  const keepLine = (line: string) => {
    lines.push(line);
    if (lines.length > keptLines) lines.shift();
  };
  if (child.stderr !== null) {
    createInterface({ input: child.stderr }).on("line", (line) => {
      keepLine(line);
      const isWarning = /^(FATAL|PANIC|WARNING):/.test(line) && !shutdownMessages.test(line);
      if (isWarning) logger.warn({ engine: line }, "database engine");
      else logger.debug({ engine: line }, "database engine");
    });
  }
  let isOver = false;
  /** Resolves when it has ended, with the signal's name or the exit code. Never rejects. */
  const exited = new Promise<string>((resolve) => {
    const finish = (reason: string) => {
      isOver = true;
      resolve(reason);
    };
    child.on("error", (error) => {
      keepLine(error.message);
      finish(error.message);
    });
    child.on("exit", (code, signal) => {
      const reason = signal ?? `exit code ${code}`;
      // Waits for the last output, but not for a hanging backend that keeps the pipe open.
      child.on("close", () => finish(reason));
      setTimeout(() => finish(reason), lastOutputMs);
    });
  });
  detachFromLoop(child);
  return {
    exited,
    hasExited: (): boolean => isOver,
    /** Returns false if this process id definitely belongs to another server. */
    // With a watchdog, the child is a shell and the server is its child.
    canBe: (pid: number): boolean => command.watchesStdin || pid === child.pid,
    /** Returns the last lines of output, newest last. */
    lastLines: (): string[] => [...lines],
  };
}

/** Server started by this process. */
type ServerProcess = ReturnType<typeof startServerProcess>;

/** Lets this process end while the server is running. */
function detachFromLoop(child: ChildProcess): void {
  child.unref();
  // The types say streams, but pipes to a child are sockets and have `unref`.
  for (const stream of [child.stdin, child.stderr]) {
    if (stream instanceof Socket) stream.unref();
  }
}

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
    await wait(pollMs);
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
    await wait(100);
    return;
  }
  if (
    /lock file .* (already exists|is empty)|could not (create|open|read) lock file .* No such/.test(
      text,
    )
  ) {
    await removeForeignLocks(parts);
    await wait(pollMs);
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
