import { AppError } from "./app-error.ts";

interface FairQueueOptions {
  /** Tasks that run at the same time. */
  maxRunning: number;
  /** Tasks that wait for their turn: of one key, and of all. Those that go first count apart. */
  maxWaitingPerKey: number;
  maxWaiting: number;
  /** What a refused caller is told. */
  message: string;
  retryAfterS: number;
}

/** Whose task it is. */
export interface Turn {
  /** Keys take turns, so that one caller's many tasks delay another's by one task at most. */
  key: string;
  /** Before all others, such as a caller who has proved who they are. */
  isFirst: boolean;
}

/** Bounds how many tasks of one kind run at once, and shares them fairly among their callers. */
export interface FairQueue {
  /**
   * Waits for a turn. @returns what ends it; call it once.
   * @throws AppError unavailable, with `Retry-After`, when the queue is full.
   */
  enter(turn: Turn): Promise<() => void>;
  /** Takes a turn that is free. @returns what ends it, or null where one must wait. */
  tryEnter(): (() => void) | null;
  /** Runs a task in its turn. @throws AppError as `enter` does. */
  run<T>(turn: Turn, task: () => Promise<T>): Promise<T>;
  /** How many wait for a turn. */
  countWaiting(): number;
}

interface Lane {
  /** Those who wait, by key. The first key is the next one to get a turn. */
  waiting: Map<string, (() => void)[]>;
  count: number;
}

function takeNext(lane: Lane): (() => void) | undefined {
  const [next] = lane.waiting;
  if (next === undefined) return undefined;
  const [key, starts] = next;
  const start = starts.shift();
  lane.waiting.delete(key);
  if (starts.length > 0) lane.waiting.set(key, starts);
  lane.count -= 1;
  return start;
}

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { maxRunning, maxWaitingPerKey, maxWaiting, message, retryAfterS } = options;
  const first: Lane = { waiting: new Map(), count: 0 };
  const rest: Lane = { waiting: new Map(), count: 0 };
  let running = 0;

  function leave(): void {
    // Hands the slot over, so that no later caller gets in between.
    const start = takeNext(first) ?? takeNext(rest);
    if (start === undefined) running -= 1;
    else start();
  }

  function tryEnter(): (() => void) | null {
    if (running >= maxRunning) return null;
    running += 1;
    return leave;
  }

  async function enter({ key, isFirst }: Turn): Promise<() => void> {
    const free = tryEnter();
    if (free !== null) return free;
    const lane = isFirst ? first : rest;
    const starts = lane.waiting.get(key) ?? [];
    if (lane.count >= maxWaiting || starts.length >= maxWaitingPerKey) {
      throw new AppError("unavailable", message, { retryAfterS });
    }
    lane.waiting.set(key, starts);
    lane.count += 1;
    await new Promise<void>((start) => starts.push(start));
    return leave;
  }

  return {
    enter,
    tryEnter,
    countWaiting: () => first.count + rest.count,
    async run(turn, task) {
      const end = await enter(turn);
      try {
        return await task();
      } finally {
        end();
      }
    },
  };
}
