import { AppError } from "./app-error.ts";

interface TaskLimiterOptions {
  /** Tasks that run at the same time. */
  maxRunning: number;
  /** Tasks that wait for their turn. */
  maxWaiting: number;
  /** What a refused caller is told. */
  message: string;
  retryAfterS: number;
}

/** Bounds how many tasks of one kind run at once. */
export interface TaskLimiter {
  /** @throws AppError unavailable, with `Retry-After`, when the queue is full. */
  run<T>(task: () => Promise<T>): Promise<T>;
}

/** Waiting tasks start in the order in which they arrived. */
export function createTaskLimiter(options: TaskLimiterOptions): TaskLimiter {
  const { maxRunning, maxWaiting, message, retryAfterS } = options;
  const waiting: (() => void)[] = [];
  let running = 0;

  return {
    async run(task) {
      if (running < maxRunning) running += 1;
      else {
        if (waiting.length >= maxWaiting)
          throw new AppError("unavailable", message, { retryAfterS });
        // The task that ends hands its slot over, so that no later caller gets in between.
        await new Promise<void>((start) => waiting.push(start));
      }
      try {
        return await task();
      } finally {
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}
