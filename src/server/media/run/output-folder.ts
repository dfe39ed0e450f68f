import type { Dirent } from "node:fs";
import { lstat, readdir, rm } from "node:fs/promises";
import path from "node:path";

export interface FolderUse {
  bytes: number;
  /** Entries that are neither files nor folders: links, pipes, sockets, devices. */
  others: string[];
}

/** Maximum number of entries. If there are more, the size counts as infinite. */
const maxEntries = 20_000;

/**
 * Measures a tool's output so far. Entries may appear and vanish in the meantime. Doesn't follow
 * links.
 */
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
        // A sparse file may be longer than the space it occupies.
        use.bytes += info === null ? 0 : Math.min(info.size, info.blocks * 512);
      }
    }
  }
  return use;
}

/**
 * Removes entries that media tools never create, because the server would follow a link or block on
 * a pipe. @returns whether there were any.
 */
export async function removeOthers(use: FolderUse): Promise<boolean> {
  for (const file of use.others) await rm(file, { force: true });
  return use.others.length > 0;
}
