import { statfs } from "node:fs/promises";

/**
 * Reads the size of the disk that contains a folder, and the space that this user may still fill.
 */
export async function readDiskSpace(
  folder: string,
): Promise<{ freeBytes: number; sizeBytes: number }> {
  const { bavail, blocks, bsize, frsize } = await statfs(folder);
  // Blocks are counted in fragments. `bsize` is the preferred size of a read, which is 256 times as
  // large in folders that Docker Desktop shares. Older versions of Node.js report no `frsize`.
  const blockBytes = frsize || bsize;
  return { freeBytes: bavail * blockBytes, sizeBytes: blocks * blockBytes };
}
