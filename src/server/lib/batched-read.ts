/**
 * Combines reads by key. A read starts after the current work, so that the parts of one page share
 * it. Keys requested during a read share the next one. A caller never gets a value from a read that
 * started before its call.
 * @param read returns the values that exist.
 */
export function createBatchedRead<Value>(
  read: (keys: string[]) => Promise<ReadonlyMap<string, Value>>,
): (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>> {
  let next: Batch<Value> | null = null;
  let isReading = false;

  async function readAll(): Promise<void> {
    while (next !== null) {
      const { keys, resolve, reject } = next;
      next = null;
      await read([...keys]).then(resolve, reject);
    }
    isReading = false;
  }

  return (keys) => {
    next ??= { keys: new Set(), ...Promise.withResolvers<ReadonlyMap<string, Value>>() };
    const batch = next;
    for (const key of keys) batch.keys.add(key);
    if (!isReading) {
      isReading = true;
      process.nextTick(() => void readAll());
    }
    return batch.promise;
  };
}

interface Batch<Value> extends PromiseWithResolvers<ReadonlyMap<string, Value>> {
  keys: Set<string>;
}
