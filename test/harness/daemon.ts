import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";

export interface Daemon {
  readonly pid: number;
  /** Output since the first start. */
  readonly output: string;
  isRunning(): boolean;
  /** Starts or restarts the program and waits until it works. */
  start(): Promise<void>;
  /**
   * Sends a signal to the program, or to its whole process group with `isGroup`, and waits until it
   * ends.
   */
  stop(signal?: NodeJS.Signals, isGroup?: boolean): Promise<void>;
}

/** User for services that can't or shouldn't run as root. */
export const serviceUser = 65534;
export const isRoot = process.getuid?.() === 0;

const patienceMs = 300_000;

/** Program that a test can start and stop repeatedly. It ends with the test. */
export function createDaemon(options: {
  name: string;
  command: string[];
  cwd?: string;
  env?: Record<string, string | undefined>;
  /** If the test runs as root, runs the program as an unprivileged user. */
  isUnprivileged?: boolean;
  isReady: () => Promise<boolean>;
}): Daemon {
  const { name, command, isUnprivileged = false, isReady } = options;
  const user =
    isUnprivileged && isRoot
      ? [`--reuid=${serviceUser}`, `--regid=${serviceUser}`, "--clear-groups", "--reset-env"]
      : [];
  let child: ChildProcess | null = null;
  let output = "";
  const isRunning = () => child !== null && child.exitCode === null && child.signalCode === null;
  const append = (text: string) => {
    output += text;
  };

  return {
    get pid() {
      return child?.pid ?? 0;
    },
    get output() {
      return output;
    },
    isRunning,

    async start() {
      const until = performance.now() + patienceMs;
      for (;;) {
        if (!isRunning()) {
          child = spawn("setpriv", ["--pdeathsig=KILL", ...user, "--", ...command], {
            cwd: options.cwd,
            env: { ...process.env, ...options.env },
            stdio: ["ignore", "pipe", "pipe"],
            detached: true,
          });
          child.stdout?.setEncoding("utf8").on("data", append);
          child.stderr?.setEncoding("utf8").on("data", append);
        }
        if (await isReady().catch(() => false)) return;
        if (performance.now() > until) {
          throw new Error(`${name} is not ready:\n${output.slice(-3000)}`);
        }
        await wait(100);
      }
    },

    async stop(signal = "SIGTERM", isGroup = false) {
      if (child === null || !isRunning()) return;
      const ended = once(child, "exit");
      process.kill(isGroup ? -this.pid : this.pid, signal);
      await ended;
    },
  };
}
