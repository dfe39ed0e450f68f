import { spawn, type ChildProcess } from "node:child_process";
import { Socket } from "node:net";
import { createInterface } from "node:readline";
import { totalmem } from "node:os";
import type { Logger } from "#server/lib/logger.ts";
import { identity } from "./command.ts";
import type { Binaries } from "./binaries.ts";
import type { Launch } from "./privileges.ts";

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
    unix_socket_directories: socketDir,
    unix_socket_permissions: "0700",
    // Owner of this server. Processes that adopt the server query it.
    "kinora.owner": String(process.pid),

    max_connections: "100",
    shared_buffers: memoryBytes >= 4 * gigabyte ? "256MB" : "128MB",
    effective_cache_size: `${Math.max(256, Math.round(memoryBytes / 3 / 1024 ** 2))}MB`,
    work_mem: "8MB",
    maintenance_work_mem: "64MB",
    random_page_cost: "1.1",
    // All queries are short, so compilation and parallel workers cost more than they gain.
    jit: "off",
    max_parallel_workers_per_gather: "0",

    fsync: isDurable ? "on" : "off",
    full_page_writes: isDurable ? "on" : "off",
    synchronous_commit: isDurable ? "on" : "off",
    wal_compression: "pglz",
    min_wal_size: "64MB",
    max_wal_size: "1GB",
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
export function startServerProcess(options: {
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
export type ServerProcess = ReturnType<typeof startServerProcess>;

/** Lets this process end while the server is running. */
function detachFromLoop(child: ChildProcess): void {
  child.unref();
  // The types say streams, but pipes to a child are sockets and have `unref`.
  for (const stream of [child.stdin, child.stderr]) {
    if (stream instanceof Socket) stream.unref();
  }
}
