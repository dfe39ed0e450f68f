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

/**
 * @param write writes a batch and returns one result per item, in order.
 * @param keyOf two items with the same key never share a batch, and keep their order.
 */
export function createGroupCommit<Item, Result>(options: {
  write: (items: Item[]) => Promise<Result[]>;
  keyOf?: (item: Item) => string;
  maxBatch?: number;
}): GroupCommit<Item, Result> {
  const { write, keyOf, maxBatch = 500 } = options;
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

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = takeBatch();
      try {
        const results = await write(batch.map((entry) => entry.item));
        for (const [at, entry] of batch.entries()) {
          const result = results.slice(at, at + 1);
          const [first] = result;
          if (result.length === 0 || first === undefined) {
            entry.reject(new Error("A batch returned too few results"));
          } else entry.resolve(first);
        }
      } catch (error) {
        for (const entry of batch) entry.reject(error);
      }
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
