import { AppError } from "#server/lib/app-error.ts";
import type { Logger } from "#server/lib/logger.ts";
import { sourcePrefix } from "./media-keys.ts";

export interface ObjectStat {
  key: string;
  sizeBytes: number;
  modifiedAt: Date;
  /** Derived from the key's extension. */
  contentType: string;
}

/** Bytes from `start` to `end`, inclusive, counted from 0. */
interface ByteRange {
  start: number;
  end: number;
}

/**
 * Object open for reading. It must be closed. Until then it stays unchanged, even if it is
 * replaced.
 */
export interface OpenObject {
  readonly stat: ObjectStat;
  /**
   * Yields the bytes of a range. A piece is valid only until the next one is requested. Leave the
   * loop if a piece may still be in use.
   */
  pieces(range: ByteRange): AsyncIterable<Uint8Array>;
  close(): void;
}

/** Current location of an object. */
interface ObjectLocation {
  /** `disk`: a file that a proxy on this machine can send. `s3`: see `S3Storage.signUrl`. */
  place: "disk" | "s3";
  stat: ObjectStat;
}

interface PutFileOptions {
  /** True to move the local file if possible instead of copying it. */
  consume?: boolean;
  /**
   * True if the file belongs to another object with the same access rights. Objects never change, so
   * on a disk both share the content if possible.
   */
  share?: boolean;
  signal?: AbortSignal | undefined;
}

/** Private temporary folder. If the objects are local, it is on the same disk. */
export interface Scratch extends AsyncDisposable {
  path: string;
  /** Removes the folder and its content. Never throws; may be called twice. */
  remove(): Promise<void>;
}

/**
 * Storage of objects by keys (`folder/name.ext`, see storage-key.ts). An object is complete or
 * absent, and survives a crash once its put has resolved. A key must not be the folder of another
 * key.
 * Failures: AppError `not_found` for an unknown key, `storage_full` if the disk or quota is
 * exhausted, `unavailable` if the storage is unreachable, `internal` for a malformed key.
 */
export interface Storage {
  putFile(key: string, localPath: string, options?: PutFileOptions): Promise<ObjectStat>;
  putBytes(key: string, bytes: Uint8Array | string): Promise<ObjectStat>;

  getStat(key: string): Promise<ObjectStat>;
  findStat(key: string): Promise<ObjectStat | null>;

  /** Locates an object so that another program can send it. */
  locate(key: string): Promise<ObjectLocation>;

  openRead(key: string): Promise<OpenObject>;

  /**
   * Reads the whole content of a small object (a playlist, a WebVTT file).
   * @throws AppError too_large beyond `maxBytes`.
   */
  readBytes(key: string, maxBytes: number): Promise<Buffer>;

  /**
   * Calls `use` with the path of a local file that has the object's content, for tools that need a
   * file. The file is read-only and exists until `use` settles. The local adapter makes no copy.
   */
  withLocalFile<T>(
    key: string,
    use: (localPath: string) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>;

  /** Deletes an object. Does nothing for an unknown key. */
  delete(key: string): Promise<void>;
  /** Deletes a folder. `prefix` ends with "/". */
  deletePrefix(prefix: string): Promise<void>;
  /** Yields every object below a folder (`prefix` ends with "/", or is "" for all), unordered. */
  list(prefix: string): AsyncIterable<ObjectStat>;

  createScratch(): Promise<Scratch>;
  /**
   * Removes the scratch folders of ended processes, and what abandoned uploads left in the storage.
   * @returns the number of folders.
   */
  sweepScratch(logger: Logger): Promise<number>;

  /** Returns the free bytes; null if unknown. */
  findFreeBytes(): Promise<number | null>;
  /**
   * Checks whether the objects are reachable, without writing anything.
   * @throws if they aren't.
   */
  checkHealth(): Promise<void>;
}

export async function hasObjects(storage: Storage): Promise<boolean> {
  for await (const _ of storage.list("")) return true;
  return false;
}

/**
 * Lists one folder, because a wrong address of a bucket may only show in lists.
 * @throws if the storage can't list objects.
 */
export async function checkLists(storage: Storage): Promise<void> {
  for await (const _ of storage.list(sourcePrefix)) return;
}

/** Name of the object that contains a storage's id. Lists of objects leave it out. */
export const idName = "storage-id";

/** Storage that a site can be migrated to, identified by its id. */
export interface PlaceStorage extends Storage {
  /** Reads the id, or null if the storage has none. */
  readId(): Promise<string | null>;
  writeId(id: string): Promise<void>;
}

/** Reading part of a storage. */
export type PlaceReads = Pick<
  PlaceStorage,
  "getStat" | "findStat" | "locate" | "openRead" | "readBytes" | "withLocalFile" | "list"
>;

const segment = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,119}$/;
const maxKeyLength = 512;

export function isStorageKey(key: string): boolean {
  return key.length <= maxKeyLength && key.split("/").every((part) => segment.test(part));
}

/**
 * Rejects malformed keys. Keys consist of random tokens and fixed names, so a malformed key is a
 * bug or an attack. Segments start with a letter, digit, "_" or "-", which excludes "..", hidden
 * names and absolute paths.
 */
export function assertStorageKey(key: string): void {
  if (!isStorageKey(key)) {
    throw new AppError("internal", "A storage key is malformed.", {
      cause: new Error(`storage key ${JSON.stringify(key.slice(0, 100))}`),
    });
  }
}

/**
 * Rejects malformed prefixes. A prefix is a folder: a key followed by "/". The empty prefix matches
 * all keys.
 */
export function assertStoragePrefix(prefix: string): void {
  if (prefix === "") return;
  if (!prefix.endsWith("/")) {
    throw new AppError("internal", "A storage prefix must end with a slash.");
  }
  assertStorageKey(prefix.slice(0, -1));
}

const contentTypes: Record<string, string> = {
  mp4: "video/mp4",
  m4a: "audio/mp4",
  m4s: "video/iso.segment",
  m3u8: "application/vnd.apple.mpegurl",
  vtt: "text/vtt; charset=utf-8",
  jpg: "image/jpeg",
  png: "image/png",
  webp: "image/webp",
  avif: "image/avif",
  json: "application/json",
};

/**
 * Returns the content type. It is never a type that a browser executes. Unknown names are plain
 * bytes.
 */
export function contentTypeOf(key: string): string {
  const extension = key.slice(key.lastIndexOf(".") + 1).toLowerCase();
  return contentTypes[extension] ?? "application/octet-stream";
}
