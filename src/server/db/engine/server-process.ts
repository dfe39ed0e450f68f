import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { createInterface } from "node:readline";
import type { Logger } from "#server/lib/logger.ts";
import { identity } from "./command.ts";
import type { Binaries } from "./binaries.ts";
import type { Launch } from "./privileges.ts";
import { serverSettings, settingArgs } from "./server-settings.ts";

/** A server that this process started. */
export interface ServerProcess {
  /** Resolves when it has ended, with the signal name or exit code; never rejects. */
  exited: Promise<string>;
  hasExited(): boolean;
  /** False if this process id is certainly the one of another server. */
  canBe(pid: number): boolean;
  /** Its last lines of output, newest last. */
  lastLines(): string[];
}

const keptLines = 40;
const lastOutputMs = 200;
/** Messages for each connection during a requested shutdown. */
const shutdownMessages = /terminating connection due to administrator command|is shutting down/;

/** Starts the server and returns at once; it is ready when its `postmaster.pid` says so. */
export function startServerProcess(options: {
  clusterDir: string;
  socketDir: string;
  binaries: Binaries;
  launch: Launch;
  logger: Logger;
  isDurable: boolean;
}): ServerProcess {
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
    // A session of its own: Ctrl-C must not stop the server before the last query.
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
      // Its last output may still arrive, but a hanging backend keeps the pipe open.
      child.on("close", () => finish(reason));
      setTimeout(() => finish(reason), lastOutputMs);
    });
  });
  detachFromLoop(child);
  return {
    exited,
    hasExited: () => isOver,
    // With a watchdog the child is a shell, and the server is its child.
    canBe: (pid) => command.watchesStdin || pid === child.pid,
    lastLines: () => [...lines],
  };
}

/** Lets this process end while the server runs. */
function detachFromLoop(child: ChildProcess): void {
  child.unref();
  // Typed as streams, but pipes to a child are sockets, which have `unref`.
  for (const stream of [child.stdin, child.stderr]) {
    if (stream instanceof Socket) stream.unref();
  }
}
