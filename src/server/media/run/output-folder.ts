import type { Dirent } from "node:fs";
import { lstat, readdir, rm } from "node:fs/promises";
import path from "node:path";

export interface FolderUse {
  bytes: number;
  /** Entries that are neither files nor folders: links, pipes, sockets, devices. */
  others: string[];
}

/** More entries count as an endless number of bytes. */
const maxEntries = 20_000;

/** What a tool has written so far. Entries may come and go meanwhile; links are not followed. */
export async function measureFolder(folder: string): Promise<FolderUse> {
  const use: FolderUse = { bytes: 0, others: [] };
  const folders = [folder];
  let count = 0;
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    const entries = await readdir(at, { withFileTypes: true }).catch((): Dirent[] => []);
    for (const entry of entries) {
      count += 1;
      if (count > maxEntries) return { ...use, bytes: Infinity };
      const file = path.join(at, entry.name);
      if (entry.isDirectory()) folders.push(file);
      else if (!entry.isFile()) use.others.push(file);
      else {
        const info = await lstat(file).catch(() => null);
        // A sparse file may be longer than what it occupies.
        use.bytes += info === null ? 0 : Math.min(info.size, info.blocks * 512);
      }
    }
  }
  return use;
}

/**
 * Removes what no media tool creates: the server would follow a link to a file of its own, and would
 * wait at a pipe. Returns whether there was any.
 */
export async function removeOthers(use: FolderUse): Promise<boolean> {
  for (const file of use.others) await rm(file, { force: true });
  return use.others.length > 0;
}
