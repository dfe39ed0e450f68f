/**
 * Caches metadata of objects briefly. Otherwise each range of a file would request it again.
 * Objects never change under their key. If one was deleted, the request for its bytes fails.
 */
export function createStatCache<T>(options: { keepMs: number; maxEntries: number }): {
  find(key: string): T | null;
  keep(key: string, stat: T): T;
  drop(key: string): void;
} {
  const entries = new Map<string, { until: number; stat: T }>();
  return {
    find(key) {
      const entry = entries.get(key);
      return entry !== undefined && entry.until > performance.now() ? entry.stat : null;
    },
    keep(key, stat) {
      if (entries.size >= options.maxEntries) entries.clear();
      entries.set(key, { until: performance.now() + options.keepMs, stat });
      return stat;
    },
    drop(key) {
      entries.delete(key);
    },
  };
}
