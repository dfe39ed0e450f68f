import { lstat, readdir, realpath } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { importLimits, type ImportFolder } from "#contract/videos/imports.ts";

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

/** Returns the files below a folder, ordered by path. Leaves out hidden files and links. */
export async function listFolder(folder: string | null): Promise<ImportFolder> {
  if (folder === null) return { files: null, hasMore: false };
  const files: { path: string; sizeBytes: number }[] = [];
  const waiting = [folder];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    // A folder may vanish or be unreadable.
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith(".")) continue;
      const full = join(next, entry.name);
      if (entry.isDirectory()) waiting.push(full);
      if (!entry.isFile()) continue;
      if (files.length >= importLimits.maxMedia) return { files, hasMore: true };
      const { size } = await lstat(full);
      files.push({ path: relative(folder, full).replaceAll(sep, "/"), sizeBytes: size });
    }
  }
  return { files, hasMore: false };
}
