import { thumbnailFileNames } from "#contract/videos/thumbnail-files.ts";
import type { Storage } from "./storage.ts";

/**
 * Moves a thumbnail's files into a new folder.
 * @returns the key of the main file, which is the first.
 */
export async function storeThumbnail(
  storage: Storage,
  folder: string,
  files: readonly [{ name: string; path: string }, ...{ name: string; path: string }[]],
): Promise<string> {
  // Stores the main file last. If it exists, all files do.
  for (const { name, path } of files.toReversed()) {
    await storage.putFile(folder + name, path, { consume: true });
  }
  return folder + files[0].name;
}

/** Deletes a thumbnail by its key, in all sizes and types. */
export async function deleteThumbnail(storage: Storage, key: string): Promise<void> {
  for (const file of thumbnailFileNames(key)) await storage.delete(file);
}
