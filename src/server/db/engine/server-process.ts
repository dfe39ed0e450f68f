import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { createInterface } from "node:readline";
import type { Logger } from "#server/lib/logger.ts";
import { identity } from "./command.ts";
import type { Binaries } from "./binaries.ts";
import type { Launch } from "./privileges.ts";
import { serverSettings, settingArgs } from "./server-settings.ts";

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
