import { AppError } from "./app-error.ts";

interface SemaphoreOptions {
  /** Tasks that run at the same time. */
  maxRunning: number;
  /** Tasks that wait: of one key, and of all. Those that go first count apart. */
  maxWaitingPerKey: number;
  maxWaiting: number;
  /** Message for a refused caller. */
  message: string;
  retryAfterS: number;
}

/** Whose task it is. */
export interface Caller {
  /** An address or a device: it can take only its share of the places. */
  key: string;
  /** Before all others, such as a caller who has proved who they are. */
  isFirst: boolean;
}

/** Bounds the tasks of one kind that run at once, and those that wait: first come, first served. */
export interface Semaphore {
  /**
   * Waits for a place. @returns what frees it; call it once.
   * @throws AppError unavailable, with `Retry-After`, when too many wait.
   */
  enter(caller: Caller): Promise<() => void>;
  /** Takes a place that is free. @returns what frees it, or null where one must wait. */
  tryEnter(): (() => void) | null;
  /** Runs a task in its place. @throws AppError as `enter` does. */
  run<T>(caller: Caller, task: () => Promise<T>): Promise<T>;
}

export function createSemaphore(options: SemaphoreOptions): Semaphore {
  const { maxRunning, maxWaitingPerKey, maxWaiting, message, retryAfterS } = options;
  const first: (() => void)[] = [];
  const rest: (() => void)[] = [];
  const waitingByKey = new Map<string, number>();
  let running = 0;

  function leave(): void {
    // Hands the place over, so that no later caller gets in between.
    const start = first.shift() ?? rest.shift();
    if (start === undefined) running -= 1;
    else start();
  }

  function tryEnter(): (() => void) | null {
    if (running >= maxRunning) return null;
    running += 1;
    return leave;
  }

  async function enter({ key, isFirst }: Caller): Promise<() => void> {
    const free = tryEnter();
    if (free !== null) return free;
    const waiting = isFirst ? first : rest;
    const ofKey = waitingByKey.get(key) ?? 0;
    if (waiting.length >= maxWaiting || ofKey >= maxWaitingPerKey) {
      throw new AppError("unavailable", message, { retryAfterS });
    }
    waitingByKey.set(key, ofKey + 1);
    await new Promise<void>((start) => waiting.push(start));
    const left = (waitingByKey.get(key) ?? 1) - 1;
    if (left === 0) waitingByKey.delete(key);
    else waitingByKey.set(key, left);
    return leave;
  }

  return {
    enter,
    tryEnter,
    async run(caller, task) {
      const end = await enter(caller);
      try {
        return await task();
      } finally {
        end();
      }
    },
  };
}
