import { AppError } from "./app-error.ts";

interface SemaphoreOptions {
  /** Maximum number of running tasks. */
  maxRunning: number;
  /** Maximum number of waiting tasks, per key and in total. Prioritised ones count separately. */
  maxWaitingPerKey: number;
  maxWaiting: number;
  /** Message for a refused caller. */
  message: string;
  retryAfterS: number;
}

/** Caller of a task. */
export interface Caller {
  /** Address or device. It gets only its share of the places. */
  key: string;
  /** True to go before all others, for callers who have proved who they are. */
  isFirst: boolean;
}

/** Limits how many tasks of one kind run and wait. First come, first served. */
export function createSemaphore(options: SemaphoreOptions) {
  const { maxRunning, maxWaitingPerKey, maxWaiting, message, retryAfterS } = options;
  const first: (() => void)[] = [];
  const rest: (() => void)[] = [];
  const waitingByKey = new Map<string, number>();
  let running = 0;

  /** Returns a function that frees the place once. Further calls do nothing. */
  function createLeave(): () => void {
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      // Passes the place on directly, so that no later caller can take it.
      const start = first.shift() ?? rest.shift();
      if (start === undefined) running -= 1;
      else start();
    };
  }

  /**
   * Waits for a place. @returns a function that frees the place. Further calls do nothing.
   * @throws AppError unavailable, with `Retry-After`, if too many are waiting.
   */
  async function enter({ key, isFirst }: Caller): Promise<() => void> {
    if (running < maxRunning) {
      running += 1;
      return createLeave();
    }
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
    return createLeave();
  }

  return {
    enter,
    /** Runs a task in its place. @throws AppError like `enter`. */
    async run<T>(caller: Caller, task: () => Promise<T>): Promise<T> {
      const end = await enter(caller);
      try {
        return await task();
      } finally {
        end();
      }
    },
  };
}

export type Semaphore = ReturnType<typeof createSemaphore>;
