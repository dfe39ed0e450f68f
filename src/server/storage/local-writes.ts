import { rename, rm, rmdir, unlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { AppError, hasCode } from "#server/lib/app-error.ts";
import { translateDiskError } from "./disk-error.ts";
import { copyToFile, publishFile, syncFolder } from "./durable-file.ts";
import { isAbsence } from "./local-reads.ts";
import { sourcePrefix } from "./media-keys.ts";
import type { ScratchArea } from "./scratch-area.ts";
import { assertStoragePrefix, type ObjectStat, type PlaceStorage } from "./storage.ts";

type LocalWrites = Pick<PlaceStorage, "putFile" | "putBytes" | "delete" | "deletePrefix">;

/** Publishes and deletes objects in the local folder `objects`. */
export function createLocalWrites(options: {
  objects: string;
  scratch: ScratchArea;
  getStat: PlaceStorage["getStat"];
  pathOf: (key: string) => string;
}): LocalWrites {
  const { objects, scratch, getStat, pathOf } = options;

  /** Publishes the temporary file that `fill` writes. Leaves nothing behind if it fails. */
  async function put(key: string, fill: (temp: string) => Promise<void>): Promise<ObjectStat> {
    const target = pathOf(key);
    const temp = await scratch.createTempPath();
    try {
      await fill(temp);
      await publishFile(temp, target, key.startsWith(sourcePrefix) ? 0o600 : 0o644);
      return await getStat(key);
    } catch (error) {
      await rm(temp, { force: true }).catch(() => undefined);
      throw translateDiskError(error);
    }
  }

  const putFile: LocalWrites["putFile"] = (key, localPath, { consume = false, signal } = {}) =>
    put(key, async (temp) => {
      signal?.throwIfAborted();
      if (consume && (await renameOnSameDisk(localPath, temp))) return;
      await copyToFile(localPath, temp);
      if (consume) await unlink(localPath);
    });

  return {
    putFile,
    putBytes: (key, bytes) => put(key, (temp) => writeFile(temp, bytes, { flag: "wx" })),

    async delete(key) {
      const target = pathOf(key);
      try {
        await unlink(target);
      } catch (error) {
        if (isAbsence(error)) return;
        throw error;
      }
      await syncFolder(path.dirname(target)).catch(() => undefined);
      await pruneFolders(objects, path.dirname(target));
    },

    async deletePrefix(prefix) {
      assertStoragePrefix(prefix);
      if (prefix === "") throw new AppError("internal", "Refusing to delete everything.");
      const folder = pathOf(prefix.slice(0, -1));
      // Renames the folder first, so that readers see either all of it or nothing.
      const deleted = await scratch.createTempPath();
      try {
        await rename(folder, deleted);
      } catch (error) {
        if (isAbsence(error)) return;
        throw error;
      }
      // A concurrent delete may have removed it.
      await syncFolder(path.dirname(folder)).catch(() => undefined);
      await rm(deleted, { recursive: true, force: true, maxRetries: 3 });
      await pruneFolders(objects, path.dirname(folder));
    },
  };
}

async function renameOnSameDisk(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, "EXDEV")) return false;
    throw error;
  }
}

/**
 * Removes empty folders from `from` upwards. The folders directly in `objects` stay, because all
 * uploads share them and the one for originals has a special mode.
 */
async function pruneFolders(objects: string, from: string): Promise<void> {
  const isBelowSharedFolder = (at: string) => path.dirname(at).startsWith(objects + path.sep);
  for (let at = from; isBelowSharedFolder(at); at = path.dirname(at)) {
    try {
      await rmdir(at);
    } catch {
      return;
    }
  }
}
