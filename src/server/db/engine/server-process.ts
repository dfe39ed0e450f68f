import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { createInterface } from "node:readline";
import type { Logger } from "../../lib/logger.ts";
import { identity } from "./command.ts";
import type { Binaries } from "./binaries.ts";
import type { Launch } from "./privileges.ts";
import { serverSettings, settingArgs } from "./server-settings.ts";

/** A server that this process started. */
export interface ServerProcess {
  /** Resolves, never rejects, when it has ended: with a signal name or exit code in words. */
  exited: Promise<string>;
  hasExited(): boolean;
  /** False if the server of this process id is surely another one. */
  canBe(pid: number): boolean;
  /** What it said last, newest at the end. */
  lastLines(): string[];
}

const keptLines = 40;
const lastWordsMs = 200;
/** What it says for each connection while it ends, as it was told to. */
const partOfEnding = /terminating connection due to administrator command|is shutting down/;

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
    // A session of its own: Ctrl-C reaches us, not the server, which must outlive our last query.
    detached: true,
    stdio: [command.watchesStdin ? "pipe" : "ignore", "ignore", "pipe"],
  });

  const lines: string[] = [];
  const remember = (line: string) => {
    lines.push(line);
    if (lines.length > keptLines) lines.shift();
  };
  if (child.stderr !== null) {
    createInterface({ input: child.stderr }).on("line", (line) => {
      remember(line);
      const isTelling = /^(FATAL|PANIC|WARNING):/.test(line) && !partOfEnding.test(line);
      if (isTelling) logger.warn({ engine: line }, "database engine");
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
      remember(error.message);
      finish(error.message);
    });
    child.on("exit", (code, signal) => {
      const reason = signal ?? `exit code ${code}`;
      // Its last words may still be on the way, but a backend that hangs keeps the pipe open.
      child.on("close", () => finish(reason));
      setTimeout(() => finish(reason), lastWordsMs);
    });
  });
  detachFromLoop(child);
  return {
    exited,
    hasExited: () => isOver,
    // Under a watchdog the child is the shell around the server.
    canBe: (pid) => command.watchesStdin || pid === child.pid,
    lastLines: () => [...lines],
  };
}

/** The server must not keep a program alive that has nothing else to do. */
function detachFromLoop(child: ChildProcess): void {
  child.unref();
  // Typed as streams, but pipes to a child are sockets, which can be let go of.
  for (const stream of [child.stdin, child.stderr]) {
    if (stream instanceof Socket) stream.unref();
  }
}
