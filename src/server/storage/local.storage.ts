import type { BigIntStats } from "node:fs";
import {
  access,
  constants,
  open,
  opendir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { AppError } from "#server/lib/app-error.ts";
import { hasErrno, translateDiskError } from "./disk-error.ts";
import { copyToFile, publishFile, syncFolder } from "./durable-file.ts";
import { sourcePrefix } from "./media-keys.ts";
import { createOpenFiles, type OpenFile } from "./open-files.ts";
import { ensurePrivateFolder } from "./private-folder.ts";
import { createReadBuffers } from "./read-buffers.ts";
import { createScratchArea, type ScratchArea } from "./scratch-area.ts";
import { assertStorageKey, assertStoragePrefix, contentTypeOf } from "./storage-key.ts";
import { receiveToFile } from "./receive-file.ts";
import { idName, type ObjectStat, type OpenObject, type PlaceStorage } from "./storage.ts";

interface LocalStorage extends PlaceStorage {
  /** Local files for tools, even if objects are stored elsewhere. */
  readonly scratch: ScratchArea;
  localPath(key: string): string;
}

/**
 * Creates a storage in a local folder: objects in `root/objects`, work in progress in
 * `root/scratch` on the same file system, so that publishing is a rename.
 */
export function createLocalStorage(options: {
  root: string;
  /** True if a reverse proxy of another user sends the objects, except originals. */
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

  const openFiles = createOpenFiles({ pathOf, keepMs: 5000, maxKept: 128 });
  // 16 MiB in total. 256 KiB were up to half slower, 1 MiB no faster.
  const buffers = createReadBuffers({ bytes: 512 * 1024, count: 32, smallBytes: 64 * 1024 });

  function toOpenObject(key: string, file: OpenFile): OpenObject {
    return {
      stat: toStat(key, file.info),
      close: () => file.release(),
      async *pieces({ start, end }) {
        for (let at = start; at <= end;) {
          const buffer = buffers.take(end - at + 1);
          let isUsed = false;
          try {
            const length = await file.read(buffer.bytes, at);
            if (length === 0) throw new Error("The object is shorter than expected.");
            at += length;
            yield buffer.bytes.subarray(0, length);
            isUsed = true;
          } finally {
            // Unless the next piece was requested, this one may still be on its way to a client.
            buffer.giveBack(isUsed);
          }
        }
      },
    };
  }

  async function findStat(key: string): Promise<ObjectStat | null> {
    try {
      const info = await stat(pathOf(key), { bigint: true });
      return info.isFile() ? toStat(key, info) : null;
    } catch (error) {
      if (hasErrno(error, "ENOENT", "ENOTDIR")) return null;
      throw error;
    }
  }

  async function getStat(key: string): Promise<ObjectStat> {
    return (await findStat(key)) ?? failNotFound();
  }

  /** Publishes the temporary file written by `fill`. Failures leave nothing behind. */
  async function put(key: string, fill: (temp: string) => Promise<void>): Promise<ObjectStat> {
    const target = pathOf(key);
    const temp = await scratch.createTempPath();
    try {
      await fill(temp);
      await publishFile(temp, target, key.startsWith(sourcePrefix) ? 0o600 : 0o644);
      openFiles.forget((other) => other === key);
      return await getStat(key);
    } catch (error) {
      await rm(temp, { force: true }).catch(() => undefined);
      throw translateDiskError(error);
    }
  }

  /**
   * Removes empty folders from `from` upwards. The folders directly in `objects` stay: all uploads
   * share them, and the one for originals has a special mode.
   */
  async function pruneFolders(from: string): Promise<void> {
    const isBelowSharedFolder = (at: string) => path.dirname(at).startsWith(objects + path.sep);
    for (let at = from; isBelowSharedFolder(at); at = path.dirname(at)) {
      try {
        await rmdir(at);
      } catch {
        return;
      }
    }
  }

  async function* walk(folder: string, prefix: string): AsyncGenerator<ObjectStat> {
    let entries;
    try {
      entries = await opendir(folder);
    } catch (error) {
      if (hasErrno(error, "ENOENT", "ENOTDIR")) return;
      throw error;
    }
    for await (const entry of entries) {
      if (entry.isDirectory()) {
        yield* walk(path.join(folder, entry.name), `${prefix}${entry.name}/`);
      } else if (entry.isFile()) {
        const found = await findStat(prefix + entry.name);
        if (found !== null) yield found;
      }
    }
  }

  const putFile: LocalStorage["putFile"] = (key, localPath, putOptions = {}) =>
    put(key, async (temp) => {
      putOptions.signal?.throwIfAborted();
      if (putOptions.consume === true) {
        try {
          await rename(localPath, temp);
          return;
        } catch (error) {
          if (!hasErrno(error, "EXDEV")) throw error;
        }
      }
      await copyToFile(localPath, temp);
      if (putOptions.consume === true) await unlink(localPath);
    });

  return {
    scratch,
    putFile,

    async receive(source, localPath, { key, ...receiveOptions }) {
      const { sizeBytes } = await receiveToFile(source, localPath, receiveOptions);
      return {
        sizeBytes,
        keep: () => putFile(key, localPath, { consume: true }),
        end: () => Promise.resolve(),
      };
    },

    putBytes: (key, bytes) =>
      put(key, async (temp) => {
        const handle = await open(temp, "wx");
        try {
          await handle.writeFile(bytes);
        } finally {
          await handle.close();
        }
      }),

    getStat,
    findStat,

    locate: async (key) => ({ place: "disk", stat: await getStat(key) }),

    async openRead(key) {
      const file = await openFiles.acquire(key).catch((error: unknown) => {
        if (hasErrno(error, "ENOENT", "ENOTDIR")) return failNotFound();
        throw error;
      });
      if (file.info.isFile()) return toOpenObject(key, file);
      file.release();
      return failNotFound();
    },

    async readBytes(key, maxBytes) {
      const handle = await open(pathOf(key), "r").catch((error: unknown) => {
        if (hasErrno(error, "ENOENT", "ENOTDIR")) return failNotFound();
        throw error;
      });
      try {
        const { size } = await handle.stat();
        if (size > maxBytes) throw new AppError("too_large", "The stored file is too large.");
        return await handle.readFile();
      } finally {
        await handle.close();
      }
    },

    async fetchToFile(key, localPath, signal) {
      signal?.throwIfAborted();
      try {
        await copyToFile(pathOf(key), localPath);
      } catch (error) {
        if (hasErrno(error, "ENOENT") && (await findStat(key)) === null) failNotFound();
        throw translateDiskError(error);
      }
    },

    async withLocalFile(key, use, signal) {
      signal?.throwIfAborted();
      await getStat(key);
      return use(pathOf(key));
    },

    async delete(key) {
      const target = pathOf(key);
      try {
        await unlink(target);
      } catch (error) {
        if (hasErrno(error, "ENOENT", "ENOTDIR")) return;
        throw error;
      }
      openFiles.forget((other) => other === key);
      await syncFolder(path.dirname(target)).catch(() => undefined);
      await pruneFolders(path.dirname(target));
    },

    async deletePrefix(prefix) {
      assertStoragePrefix(prefix);
      if (prefix === "") throw new AppError("internal", "Refusing to delete everything.");
      const folder = pathOf(prefix.slice(0, -1));
      // Renames first, so that readers see the whole folder or nothing.
      const deleted = await scratch.createTempPath();
      try {
        await rename(folder, deleted);
      } catch (error) {
        if (hasErrno(error, "ENOENT", "ENOTDIR")) return;
        throw error;
      }
      openFiles.forget((key) => key.startsWith(prefix));
      // A concurrent delete may have removed it.
      await syncFolder(path.dirname(folder)).catch(() => undefined);
      await rm(deleted, { recursive: true, force: true, maxRetries: 3 });
      await pruneFolders(path.dirname(folder));
    },

    list(prefix) {
      assertStoragePrefix(prefix);
      return walk(prefix === "" ? objects : pathOf(prefix.slice(0, -1)), prefix);
    },

    createScratch: () =>
      scratch.make().catch((error: unknown) => {
        throw translateDiskError(error);
      }),
    sweepScratch: () => scratch.sweep(),

    findFreeBytes: () => scratch.findFreeBytes(),

    // Writes nothing, since anyone may call it.
    async checkHealth() {
      await access(objects, constants.R_OK | constants.W_OK | constants.X_OK);
      if ((await scratch.findFreeBytes()) === 0) throw new Error("The disk of DATA_DIR is full.");
    },

    async readId() {
      try {
        return (await readFile(path.join(root, idName), "utf8")).trim();
      } catch (error) {
        if (hasErrno(error, "ENOENT", "ENOTDIR")) return null;
        throw error;
      }
    },

    async writeId(id) {
      const temp = await scratch.createTempPath();
      await writeFile(temp, `${id}\n`, { mode: 0o600 });
      await publishFile(temp, path.join(root, idName), 0o600);
    },

    localPath: pathOf,
  };
}

function failNotFound(): never {
  throw new AppError("not_found", "File not found.");
}

function toStat(key: string, info: BigIntStats): ObjectStat {
  return {
    key,
    sizeBytes: Number(info.size),
    modifiedAt: new Date(Number(info.mtimeMs)),
    contentType: contentTypeOf(key),
  };
}
