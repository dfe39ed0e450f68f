import {
  access,
  constants,
  readFile,
  writeFile,
  rename,
  rm,
  rmdir,
  unlink,
  open,
  opendir,
  stat,
  type FileHandle,
} from "node:fs/promises";
import path from "node:path";
import { hasCode, AppError } from "#server/lib/app-error.ts";
import { syncFolder } from "#server/lib/sync-folder.ts";
import { translateDiskError } from "./disk-error.ts";
import { publishFile, copyToFile, linkOrCopy } from "./durable-file.ts";
import { publicPrefix, publicVideoPrefix, sourcePrefix } from "./media-keys.ts";
import { ensurePrivateFolder, passableMode } from "./private-folder.ts";
import { createScratchArea, type ScratchArea } from "./scratch-area.ts";
import {
  idName,
  assertStorageKey,
  assertStoragePrefix,
  contentTypeOf,
  isStorageKey,
  type PlaceStorage,
  type ObjectStat,
  type PlaceReads,
} from "./storage.ts";
import { chmodSync, readdirSync, statSync, type BigIntStats } from "node:fs";

/**
 * Time after which an unused buffer is dropped, so that a burst doesn't raise memory permanently.
 */
const idleMs = 10_000;

/**
 * Reuses buffers for reading files. Reused buffers stay in the processor's cache and create no
 * garbage. When the pool is exhausted, readers get small buffers.
 */
export function createReadBuffers(options: {
  bytes: number;
  count: number;
  smallBytes: number;
  now?: () => number;
}): {
  /** @param wanted number of bytes that still have to be read. */
  take(wanted: number): { bytes: Uint8Array; giveBack(isFree: boolean): void };
} {
  const { now = Date.now } = options;
  /** Free buffers. The most recently used one is last and taken first. */
  const free: { whole: Uint8Array; sinceMs: number }[] = [];
  let taken = 0;

  function keep(whole: Uint8Array): void {
    const sinceMs = now();
    free.push({ whole, sinceMs });
    while (free[0] !== undefined && free[0].sinceMs < sinceMs - idleMs) free.shift();
  }

  return {
    take(wanted) {
      if (wanted <= options.smallBytes || taken >= options.count) {
        const bytes = Buffer.allocUnsafeSlow(Math.min(wanted, options.smallBytes));
        return { bytes, giveBack: () => undefined };
      }
      const whole = free.pop()?.whole ?? Buffer.allocUnsafeSlow(options.bytes);
      taken += 1;
      return {
        bytes: whole.subarray(0, wanted),
        giveBack(isFree) {
          taken -= 1;
          if (isFree) keep(whole);
        },
      };
    },
  };
}

/** Reads objects from the local folder `objects`. */
function createLocalReads(objects: string, pathOf: (key: string) => string): PlaceReads {
  // 16 MiB in total. Reads with 256 KiB took up to twice as long. 1 MiB wasn't faster.
  const buffers = createReadBuffers({ bytes: 512 * 1024, count: 32, smallBytes: 64 * 1024 });

  async function findStat(key: string): Promise<ObjectStat | null> {
    try {
      const info = await stat(pathOf(key), { bigint: true });
      return info.isFile() ? toStat(key, info) : null;
    } catch (error) {
      if (isAbsence(error)) return null;
      throw error;
    }
  }

  const getStat = async (key: string) => (await findStat(key)) ?? throwNotFound();

  async function* readPieces(file: FileHandle, { start, end }: { start: number; end: number }) {
    for (let at = start; at <= end;) {
      const buffer = buffers.take(end - at + 1);
      let isUsed = false;
      try {
        const { bytesRead } = await file.read(buffer.bytes, 0, buffer.bytes.length, at);
        if (bytesRead === 0) throw new Error("The object is shorter than expected.");
        at += bytesRead;
        yield buffer.bytes.subarray(0, bytesRead);
        isUsed = true;
      } finally {
        // Unless the next piece was requested, this one may still be on its way to a client.
        buffer.giveBack(isUsed);
      }
    }
  }

  return {
    getStat,
    findStat,
    locate: async (key) => ({ place: "disk", stat: await getStat(key) }),

    async openRead(key) {
      const file = await open(pathOf(key), "r").catch(failIfAbsent);
      const close = () => void file.close().catch(() => undefined);
      try {
        const info = await file.stat({ bigint: true });
        if (!info.isFile()) throwNotFound();
        return { stat: toStat(key, info), close, pieces: (range) => readPieces(file, range) };
      } catch (error) {
        close();
        throw error;
      }
    },

    async readBytes(key, maxBytes) {
      const handle = await open(pathOf(key), "r").catch(failIfAbsent);
      try {
        const { size } = await handle.stat();
        if (size > maxBytes) throw new AppError("too_large", "The stored file is too large.");
        return await handle.readFile();
      } finally {
        await handle.close();
      }
    },

    async withLocalFile(key, use, signal) {
      signal?.throwIfAborted();
      await getStat(key);
      return use(pathOf(key));
    },

    list(prefix) {
      assertStoragePrefix(prefix);
      return walk(prefix === "" ? objects : pathOf(prefix.slice(0, -1)), prefix, findStat);
    },
  };
}

async function* walk(
  folder: string,
  prefix: string,
  findStat: (key: string) => Promise<ObjectStat | null>,
): AsyncGenerator<ObjectStat> {
  let entries;
  try {
    entries = await opendir(folder);
  } catch (error) {
    if (isAbsence(error)) return;
    throw error;
  }
  for await (const entry of entries) {
    const key = prefix + entry.name;
    // File servers and desktops add files of their own, such as `.DS_Store` and `@eaDir`.
    if (!isStorageKey(key)) continue;
    if (entry.isDirectory()) {
      yield* walk(path.join(folder, entry.name), `${key}/`, findStat);
    } else if (entry.isFile()) {
      const found = await findStat(key);
      if (found !== null) yield found;
    }
  }
}

function toStat(key: string, info: BigIntStats): ObjectStat {
  return {
    key,
    sizeBytes: Number(info.size),
    modifiedAt: new Date(Number(info.mtimeMs)),
    contentType: contentTypeOf(key),
  };
}

/** True if the file, or a folder on its path, doesn't exist. */
function isAbsence(error: unknown): boolean {
  return hasCode(error, "ENOENT", "ENOTDIR");
}

function failIfAbsent(error: unknown): never {
  if (isAbsence(error)) throwNotFound();
  throw error;
}

function throwNotFound(): never {
  throw new AppError("not_found", "File not found.");
}

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
      await publishFile(temp, target, !key.startsWith(sourcePrefix));
      return await getStat(key);
    } catch (error) {
      await rm(temp, { force: true }).catch(() => undefined);
      throw translateDiskError(error);
    }
  }

  const putFile: LocalWrites["putFile"] = (
    key,
    localPath,
    { consume = false, share = false, signal } = {},
  ) =>
    put(key, async (temp) => {
      signal?.throwIfAborted();
      if (consume && (await renameOnSameDisk(localPath, temp))) return;
      await (share ? linkOrCopy : copyToFile)(localPath, temp);
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

/**
 * Lets other users enter a folder and its subfolders. In earlier versions, their mode depended on the
 * umask. Changes the folder itself last, so that the next start repeats an interrupted run, and no
 * start repeats a finished one.
 */
function openFolders(folder: string): void {
  try {
    if ((statSync(folder).mode & 0o001) !== 0) return;
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const isOurs = entry.isDirectory() && isStorageKey(entry.name);
      if (isOurs) openFolders(path.join(folder, entry.name));
    }
    chmodSync(folder, passableMode);
  } catch (error) {
    // Another process may be deleting it, or another user may own it.
    if (!isAbsence(error) && !hasCode(error, "EACCES", "EPERM")) throw error;
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
  const isProxied = options.isProxied === true;
  const mode = isProxied ? passableMode : 0o700;
  ensurePrivateFolder(root, mode);
  ensurePrivateFolder(objects, mode);
  ensurePrivateFolder(path.join(objects, sourcePrefix));
  ensurePrivateFolder(path.join(root, "scratch"));
  if (isProxied) {
    for (const prefix of [publicVideoPrefix, publicPrefix]) openFolders(path.join(objects, prefix));
  }
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
      await publishFile(temp, idPath, false);
    },
  };
}
