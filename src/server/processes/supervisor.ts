import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "#server/lib/logger.ts";

export type ProcessKind = "web" | "jobs";

export interface Exit {
  /** Reason such as `exit code 1` or `SIGKILL`. */
  reason: string;
  /** True if it stopped on request. */
  isClean: boolean;
}

/** Process started by the supervisor. */
export interface Child {
  pid: number;
  /** Resolves when the process is ready. Never resolves if the process ends before that. */
  ready: Promise<void>;
  exited: Promise<Exit>;
  stop(): void;
  kill(): void;
}

export const maxDeaths = 10;
const deathWindowMs = 60_000;
/** Pause after a process has died before it was ready. Doubles each time. */
const firstBackOffMs = 250;
const maxBackOffMs = 8000;
/** Time after which a stopping process is killed. */
const killAfterMs = 4400;

/**
 * Keeps processes alive. Restarts a process that dies: at once if it had been ready, otherwise
 * after a pause.
 * @param deps.launch starts a process.
 * @param deps.giveUp receives one line after `maxDeaths` deaths within a minute.
 * @param deps.drainS additional time in seconds for a stopping process.
 */
export function createSupervisor(deps: {
  launch: (kind: ProcessKind) => Child;
  giveUp: (line: string) => void;
  logger: Logger;
  drainS?: number;
  now?: () => number;
  pause?: (ms: number) => Promise<unknown>;
}) {
  const { launch, giveUp, logger, drainS = 0, now = Date.now } = deps;
  const { pause = (ms: number) => wait(ms, undefined, { ref: false }) } = deps;
  const running = new Set<Child>();
  let deathsAtMs: number[] = [];
  let isStopping = false;

  function launchOne(kind: ProcessKind): Child {
    const child = launch(kind);
    running.add(child);
    void child.exited.then(() => running.delete(child));
    return child;
  }

  function countDeath(kind: ProcessKind, pid: number, { reason }: Exit): void {
    deathsAtMs = [...deathsAtMs.filter((at) => now() - at < deathWindowMs), now()];
    if (deathsAtMs.length < maxDeaths) return;
    isStopping = true;
    giveUp(
      `Kinora stops: ${deathsAtMs.length} of its processes died within a minute, the last one (${kind}, process ${pid}) with ${reason}. See the log for details.`,
    );
  }

  async function keep(kind: ProcessKind, first: Child): Promise<void> {
    let backOffMs = firstBackOffMs;
    for (let child = first; ; child = launchOne(kind)) {
      const { pid } = child;
      let isReady = false;
      void child.ready.then(() => {
        isReady = true;
        if (child !== first) logger.info({ kind, child: pid }, "replaced a process");
      });
      const exit = await child.exited;
      if (isStopping) return;
      const isExpected = exit.isClean && isReady;
      if (!isExpected) {
        logger.error({ kind, child: pid, reason: exit.reason }, "a process died");
        countDeath(kind, pid, exit);
      }
      if (isReady) backOffMs = firstBackOffMs;
      else {
        await pause(backOffMs);
        backOffMs = Math.min(maxBackOffMs, backOffMs * 2);
      }
      if (isStopping) return;
    }
  }

  return {
    /** Starts the first process of a kind. @returns its exit if it ends before it is ready. */
    async startFirst(kind: ProcessKind): Promise<Exit | null> {
      const child = launchOne(kind);
      const exit = await Promise.race([child.ready.then(() => null), child.exited]);
      if (exit === null) void keep(kind, child);
      return exit;
    },
    /** Starts another process, and replaces it and each of its replacements whenever one dies. */
    start(kind: ProcessKind): void {
      void keep(kind, launchOne(kind));
    },
    /** Stops all processes and waits until they have ended. */
    async stop(): Promise<void> {
      isStopping = true;
      const children = [...running];
      for (const child of children) child.stop();
      const timer = setTimeout(
        () => {
          for (const child of running) child.kill();
        },
        drainS * 1000 + killAfterMs,
      );
      await Promise.all(children.map(({ exited }) => exited));
      clearTimeout(timer);
    },
  };
}
