import { stat } from "node:fs/promises";

/**
 * Caches results for local files. Finds files that were moved, but not those that were modified.
 */
export interface KnownFiles<T> {
  /** @param read called for unknown files. Failures aren't cached. */
  find(localPath: string, read: () => Promise<T>): Promise<T>;
}

const defaultMax = 200;

export function createKnownFiles<T>(max = defaultMax): KnownFiles<T> {
  const known = new Map<string, T>();
  return {
    async find(localPath, read) {
      const { dev, ino, size, mtimeNs } = await stat(localPath, { bigint: true });
      const key = [dev, ino, size, mtimeNs].join(" ");
      const before = known.get(key);
      if (before !== undefined) return structuredClone(before);
      const found = await read();
      known.set(key, found);
      const [oldest] = known.keys();
      if (known.size > max && oldest !== undefined) known.delete(oldest);
      return structuredClone(found);
    },
  };
}
