import {
  access,
  constants,
  readFile,
  writeFile,
  rename,
  rm,
  rmdir,
  unlink,
} from "node:fs/promises";
import path from "node:path";
import { hasCode, AppError } from "#server/lib/app-error.ts";
import { translateDiskError } from "./disk-error.ts";
import { publishFile, copyToFile, syncFolder } from "./durable-file.ts";
import { createLocalReads, isAbsence } from "./local-reads.ts";
import { sourcePrefix } from "./media-keys.ts";
import { ensurePrivateFolder } from "./private-folder.ts";
import { createScratchArea, type ScratchArea } from "./scratch-area.ts";
import {
  idName,
  assertStorageKey,
  assertStoragePrefix,
  type PlaceStorage,
  type ObjectStat,
} from "./storage.ts";

type LocalWrites = Pick<PlaceStorage, "putFile" | "putBytes" | "delete" | "deletePrefix">;

/** Publishes and deletes objects in the local folder `objects`. */
function createLocalWrites(options: {
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

interface LocalStorage extends PlaceStorage {
  /** Local files for tools, even if objects are stored elsewhere. */
  readonly scratch: ScratchArea;
  localPath(key: string): string;
}

/**
 * Creates a storage in a local folder. Objects are in `root/objects`. Work in progress is in
 * `root/scratch` on the same file system, so that publishing only renames files.
 */
export function createLocalStorage(options: {
  root: string;
  /** True if a reverse proxy that runs as another user sends the objects, except originals. */
  isProxied?: boolean;
}): LocalStorage {
  const root = path.resolve(options.root);
  const objects = path.join(root, "objects");
  const traversable = options.isProxied === true ? 0o711 : 0o700;
  ensurePrivateFolder(root, traversable);
  ensurePrivateFolder(objects, traversable);
  ensurePrivateFolder(path.join(objects, sourcePrefix));
  ensurePrivateFolder(path.join(root, "scratch"));
  const scratch = createScratchArea(path.join(root, "scratch"));

  function pathOf(key: string): string {
    assertStorageKey(key);
    return path.join(objects, ...key.split("/"));
  }

  const reads = createLocalReads(objects, pathOf);
  const idPath = path.join(root, idName);
  return {
    ...reads,
    ...createLocalWrites({ objects, scratch, getStat: reads.getStat, pathOf }),
    scratch,
    localPath: pathOf,

    createScratch: () =>
      scratch.make().catch((error: unknown) => {
        throw translateDiskError(error);
      }),
    sweepScratch: () => scratch.sweep(),
    findFreeBytes: () => scratch.findFreeBytes(),

    // Writes nothing, because anyone may call it.
    async checkHealth() {
      await access(objects, constants.R_OK | constants.W_OK | constants.X_OK).catch(
        (error: unknown) => {
          if (!hasCode(error, "EROFS")) throw error;
          throw new Error("The disk of DATA_DIR is read-only.", { cause: error });
        },
      );
      if ((await scratch.findFreeBytes()) === 0) throw new Error("The disk of DATA_DIR is full.");
    },

    async readId() {
      try {
        return (await readFile(idPath, "utf8")).trim();
      } catch (error) {
        if (isAbsence(error)) return null;
        throw error;
      }
    },

    async writeId(id) {
      const temp = await scratch.createTempPath();
      await writeFile(temp, `${id}\n`, { mode: 0o600 });
      await publishFile(temp, idPath, 0o600);
    },
  };
}
