import { access, constants, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { hasCode } from "#server/lib/app-error.ts";
import { translateDiskError } from "./disk-error.ts";
import { publishFile } from "./durable-file.ts";
import { createLocalReads, isAbsence } from "./local-reads.ts";
import { createLocalWrites } from "./local-writes.ts";
import { sourcePrefix } from "./media-keys.ts";
import { ensurePrivateFolder } from "./private-folder.ts";
import { createScratchArea, type ScratchArea } from "./scratch-area.ts";
import { idName, assertStorageKey, type PlaceStorage } from "./storage.ts";

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
