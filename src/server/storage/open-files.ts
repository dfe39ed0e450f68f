import { close, fstat, open, read, type BigIntStats } from "node:fs";
import { promisify } from "node:util";

const openFile = promisify(open);
const statFile = promisify(fstat);

/** File that stays open until its reader releases it. */
export interface OpenFile {
  info: BigIntStats;
  /** Reads from `position` into `into`. At the end of the file, reads less. */
  read(into: Uint8Array, position: number): Promise<number>;
  release(): void;
}

interface OpenFiles {
  /** @throws the file system's error, for example ENOENT. */
  acquire(key: string): Promise<OpenFile>;
  /**
   * Closes files after their keys were replaced or deleted. Current readers finish the old file.
   */
  forget(isGone: (key: string) => boolean): void;
}

interface Entry {
  readers: number;
  isKept: boolean;
  opened: Promise<{ fd: number; info: BigIntStats }>;
}

/**
 * Keeps files open for reading. Each file is opened once for all its readers. A player requests one
 * range after another, so an open file makes all ranges after the first wait less for the disk
 * threads.
 */
export function createOpenFiles(options: {
  pathOf(key: string): string;
  /**
   * Time for which an unused file stays open. If another process deletes or replaces a file, the
   * old one is served for that long.
   */
  keepMs: number;
  /** Maximum number of unused open files. More may be open while they are read. */
  maxKept: number;
}): OpenFiles {
  const kept = new Map<string, Entry>();

  function drop(key: string, entry: Entry): void {
    if (!entry.isKept) return;
    entry.isKept = false;
    kept.delete(key);
    closeIfUnused(entry);
  }

  function keepNew(key: string): Entry {
    for (const [oldest, entry] of kept) {
      if (kept.size < options.maxKept) break;
      drop(oldest, entry);
    }
    const entry = { readers: 0, isKept: true, opened: openForReading(options.pathOf(key)) };
    kept.set(key, entry);
    setTimeout(drop, options.keepMs, key, entry).unref();
    return entry;
  }

  return {
    async acquire(key) {
      const entry = kept.get(key) ?? keepNew(key);
      entry.readers += 1;
      let isReleased = false;
      function release(): void {
        if (isReleased) return;
        isReleased = true;
        entry.readers -= 1;
        closeIfUnused(entry);
      }
      try {
        const { fd, info } = await entry.opened;
        return { info, release, read: (into, position) => readAt(fd, into, position) };
      } catch (error) {
        drop(key, entry);
        release();
        throw error;
      }
    },

    forget(isGone) {
      for (const [key, entry] of kept) if (isGone(key)) drop(key, entry);
    },
  };
}

function closeIfUnused(entry: Entry): void {
  if (entry.isKept || entry.readers > 0) return;
  entry.opened.then(
    ({ fd }) => close(fd),
    () => undefined,
  );
}

async function openForReading(path: string): Promise<{ fd: number; info: BigIntStats }> {
  const fd = await openFile(path, "r");
  try {
    return { fd, info: await statFile(fd, { bigint: true }) };
  } catch (error) {
    close(fd);
    throw error;
  }
}

function readAt(fd: number, into: Uint8Array, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(fd, into, 0, into.length, position, (error, bytesRead) => {
      if (error === null) resolve(bytesRead);
      else reject(error);
    });
  });
}
