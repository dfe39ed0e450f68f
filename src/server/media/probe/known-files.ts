import { stat } from "node:fs/promises";

/** What was read of local files. A file that was moved is known, one that was written to is not. */
export interface KnownFiles<T> {
  /** @param read what is asked for where the file is not known; a failure is not kept. */
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
