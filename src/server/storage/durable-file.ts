import { constants } from "node:fs";
import { chmod, copyFile, link, mkdir, open, rename } from "node:fs/promises";
import path from "node:path";
import { hasCode } from "#server/lib/app-error.ts";
import { syncFolder } from "#server/lib/sync-folder.ts";
import { passableMode } from "./private-folder.ts";

/**
 * Age from which a file gets a new modification time. The sweep deletes objects that are older than
 * a day and not in the database yet, and an upload may have waited for its form for days. Younger
 * files keep theirs, because it identifies files that were already probed.
 */
const maxAgeMs = 3_600_000;

/**
 * Syncs a file so that it survives a power cut, and sets its mode. As root, takes ownership of
 * files that the media user wrote.
 */
async function finishFile(file: string, mode: number): Promise<void> {
  // Read-only, because an original that is imported by a link may be read-only itself.
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    if (process.getuid?.() === 0) await handle.chown(0, 0).catch(() => undefined);
    await handle.chmod(mode);
    const now = new Date();
    const { mtimeMs } = await handle.stat();
    if (now.getTime() - mtimeMs > maxAgeMs) await handle.utimes(now, now);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Creates folders like `mkdir -p` with this mode, whatever the umask, and syncs every new name. */
async function createFolderDurably(folder: string, mode: number): Promise<void> {
  const firstCreated = await mkdir(folder, { recursive: true });
  if (firstCreated === undefined) return;
  const stop = path.dirname(firstCreated);
  for (let at = folder; at !== stop && at !== path.dirname(at);) {
    await chmod(at, mode);
    at = path.dirname(at);
    await syncFolder(at);
  }
}

/**
 * Renames a finished file to its final name. Syncs the file before and the folder after, so that a
 * crash leaves either the complete content under that name or nothing.
 * @param isPublic true if other users may read the file, such as that of a proxy.
 */
export async function publishFile(
  finished: string,
  target: string,
  isPublic: boolean,
): Promise<void> {
  await finishFile(finished, isPublic ? 0o644 : 0o600);
  const folder = path.dirname(target);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await createFolderDurably(folder, isPublic ? passableMode : 0o700);
      await rename(finished, target);
      break;
    } catch (error) {
      // A concurrent delete may remove an empty folder at any time: while it is being created or
      // synced (`mkdir -p` fails if a parent disappears), or before the file is in it.
      if (attempt === 5 || !hasCode(error, "ENOENT")) throw error;
    }
  }
  await syncFolder(folder);
}

/** Copies a file, sharing blocks if the file system can. */
export async function copyToFile(source: string, target: string): Promise<void> {
  await copyFile(source, target, constants.COPYFILE_FICLONE);
}

/** Links a file, or copies it on another disk and on file systems that have no links. */
export async function linkOrCopy(source: string, target: string): Promise<void> {
  await link(source, target).catch(() => copyToFile(source, target));
}
