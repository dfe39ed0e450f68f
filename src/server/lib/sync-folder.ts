import { open } from "node:fs/promises";
import { hasCode } from "./app-error.ts";

/**
 * Syncs the names in a folder so that they survive a power cut, if the file system supports that.
 */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } catch (error) {
    if (!hasCode(error, "EINVAL", "ENOTSUP", "EPERM", "EISDIR")) throw error;
  } finally {
    await handle.close();
  }
}
