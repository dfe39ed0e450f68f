import { setTimeout as wait } from "node:timers/promises";

/**
 * Combines many small writes into few batches. An item is written at once if no write is in
 * progress. Items that arrive in the meantime share the next batch. Callers get their results once
 * the batch is durable, so no acknowledged item can be lost.
 */
export interface GroupCommit<Item, Result> {
  /** Resolves with this item's result once it is written. @throws the write's error. */
  submit(item: Item): Promise<Result>;
  /** Resolves once everything submitted so far is written. */
  drain(): Promise<void>;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (reason: unknown) => void;
}

/**
 * @param write writes a batch in one transaction and returns one result per item, in order.
 * @param keyOf items with the same key never share a batch and stay in order.
 * @param isItemError returns whether a single item may have caused an error. The halves of the
 * batch are then written separately, so that this item doesn't fail the others.
 * @param everyMs minimum time between the starts of two batches under load, because fewer and
 * larger batches cost less.
 */
export function createGroupCommit<Item, Result>(options: {
  write: (items: Item[]) => Promise<Result[]>;
  keyOf?: (item: Item) => string;
  isItemError: (error: unknown) => boolean;
  maxBatch?: number;
  everyMs?: number;
}): GroupCommit<Item, Result> {
  const { write, keyOf, isItemError, maxBatch = 500, everyMs = 25 } = options;
  let waiting: Waiting<Item, Result>[] = [];
  let writing: Promise<void> | null = null;

  function takeBatch(): Waiting<Item, Result>[] {
    const batch: Waiting<Item, Result>[] = [];
    const later: Waiting<Item, Result>[] = [];
    const keys = new Set<string>();
    for (const entry of waiting) {
      const key = keyOf?.(entry.item);
      if (batch.length >= maxBatch || (key !== undefined && keys.has(key))) {
        later.push(entry);
        continue;
      }
      if (key !== undefined) keys.add(key);
      batch.push(entry);
    }
    waiting = later;
    return batch;
  }

  async function writeBatch(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await write(batch.map((entry) => entry.item));
      if (results.length !== batch.length)
        throw new Error("A batch needs one result for each item");
      for (const [at, result] of results.entries()) batch[at]?.resolve(result);
    } catch (error) {
      if (batch.length === 1 || !isItemError(error)) {
        for (const entry of batch) entry.reject(error);
        return;
      }
      const half = batch.length >> 1;
      await writeBatch(batch.slice(0, half));
      await writeBatch(batch.slice(half));
    }
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const startedAt = performance.now();
      const batch = takeBatch();
      await writeBatch(batch);
      // Single items never wait.
      const leftMs = batch.length === 1 ? 0 : startedAt + everyMs - performance.now();
      if (leftMs > 0 && waiting.length < maxBatch) await wait(leftMs);
    }
  }

  function start(): void {
    writing ??= writeAll().finally(() => {
      writing = null;
      if (waiting.length > 0) start();
    });
  }

  return {
    submit(item) {
      return new Promise<Result>((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        start();
      });
    },
    async drain() {
      while (writing !== null) await writing;
    },
  };
}
