import { setImmediate as immediate, setTimeout as wait } from "node:timers/promises";

/**
 * Combines many small writes into few batches. An item is written at once if no write is under way;
 * items that arrive meanwhile share the next batch. A caller gets its result after its batch is
 * durable, so nothing acknowledged can be lost.
 */
export interface GroupCommit<Item, Result> {
  /** Resolves with the result for this item once it is written. @throws what the write threw. */
  submit(item: Item): Promise<Result>;
  /** Resolves when everything submitted so far is written. */
  drain(): Promise<void>;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (reason: unknown) => void;
}

/** Each result sends a response: other requests get their turn between so many of them. */
const handedOutAtOnce = 8;

/**
 * @param write writes a batch in one transaction and returns one result per item, in order.
 * @param keyOf two items with the same key never share a batch, and keep their order.
 * @param mayBeOfOne whether an error may come from one item alone. Then the halves of the batch are
 *   written apart, so that this item fails no other.
 * @param everyMs under load a batch begins at least this long after the one before: fewer and larger
 *   batches cost less in all.
 */
export function createGroupCommit<Item, Result>(options: {
  write: (items: Item[]) => Promise<Result[]>;
  keyOf?: (item: Item) => string;
  mayBeOfOne: (error: unknown) => boolean;
  maxBatch?: number;
  everyMs?: number;
}): GroupCommit<Item, Result> {
  const { write, keyOf, mayBeOfOne, maxBatch = 500, everyMs = 25 } = options;
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

  /** The next batch does not wait for it. */
  async function handOut(batch: Waiting<Item, Result>[], results: Result[]): Promise<void> {
    for (const [at, result] of results.entries()) {
      batch[at]?.resolve(result);
      if (at % handedOutAtOnce === handedOutAtOnce - 1) await immediate();
    }
  }

  async function writeBatch(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await write(batch.map((entry) => entry.item));
      if (results.length !== batch.length)
        throw new Error("A batch needs one result for each item");
      void handOut(batch, results);
    } catch (error) {
      if (batch.length === 1 || !mayBeOfOne(error)) {
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
      // Items that come one at a time never wait.
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
