import { lstat, readdir, realpath } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { importLimits, type ImportFolder } from "#contract/videos/imports.ts";
import { isStreamOfVideo, isVideoFile } from "../site/sidecars.ts";

const isHidden = (path: string) => path.split(/[\\/]/).some((part) => part.startsWith("."));

/**
 * Returns the real path of a regular file below a folder. Returns null for hidden files, files in
 * hidden folders, and files outside, including those reached through a link.
 */
export async function findFileBelow(folder: string, path: string): Promise<string | null> {
  try {
    const root = await realpath(folder);
    const found = await realpath(join(root, path));
    const isBelow = found.startsWith(`${root}${sep}`);
    const isShown = isBelow && !isHidden(path) && !isHidden(relative(root, found));
    return isShown && (await lstat(found)).isFile() ? found : null;
  } catch {
    return null;
  }
}

/**
 * Returns the video files below a folder, each folder before those in it. Leaves out hidden files,
 * links and streams that a download hasn't merged.
 * @param leavesOut folders directly in it to skip.
 */
export async function listFolder(
  folder: string | null,
  leavesOut: readonly string[] = [],
): Promise<ImportFolder> {
  if (folder === null) return { files: null, hasMore: false };
  const files: { path: string; sizeBytes: number }[] = [];
  const waiting = [folder];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    // A folder may vanish or be unreadable.
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith(".")) continue;
      const full = join(next, entry.name);
      const path = relative(folder, full).replaceAll(sep, "/");
      if (entry.isDirectory() && !leavesOut.includes(path)) waiting.push(full);
      if (!entry.isFile() || !isVideoFile(path) || isStreamOfVideo(path)) continue;
      if (files.length >= importLimits.maxMedia) return { files, hasMore: true };
      // The file may have been moved since.
      const stats = await lstat(full).catch(() => null);
      if (stats !== null) files.push({ path, sizeBytes: stats.size });
    }
  }
  return { files, hasMore: false };
}
