import type { Readable } from "node:stream";

/** What is known about a stored object. */
export interface ObjectStat {
  key: string;
  sizeBytes: number;
  /** Strong validator with its quotes, as HTTP wants it; changes whenever the bytes do. */
  etag: string;
  modifiedAt: Date;
  /** Derived from the key's extension. */
  contentType: string;
}

/** Bytes from `start` to `end`, both included, both counted from 0. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface PutFileOptions {
  /** The local file may be moved away instead of copied; it must not be used afterwards. */
  consume?: boolean;
  signal?: AbortSignal;
}

/** A private folder for work in progress, on the disk the objects live on where that is local. */
export interface Scratch extends AsyncDisposable {
  path: string;
  /** Removes the folder with everything in it. Never throws; may be called twice. */
  remove(): Promise<void>;
}

/**
 * Where bytes live. Objects are named by keys (`folder/name.ext`, see storage-key.ts), never by
 * paths. An object is whole or absent, and once a put has resolved it survives a crash. A key must
 * not be the folder of another key. Failures: AppError `not_found` for an unknown key,
 * `storage_full` when the disk or quota is exhausted, `internal` for a malformed key.
 */
export interface Storage {
  putFile(key: string, localPath: string, options?: PutFileOptions): Promise<ObjectStat>;
  putBytes(key: string, bytes: Uint8Array | string): Promise<ObjectStat>;

  getStat(key: string): Promise<ObjectStat>;
  findStat(key: string): Promise<ObjectStat | null>;

  /**
   * The stream must be read to its end or destroyed. A range is clamped to the object's size; one
   * that lies outside gives no bytes.
   */
  openRead(
    key: string,
    options?: { range?: ByteRange; signal?: AbortSignal },
  ): Promise<{ stream: Readable; stat: ObjectStat }>;

  /** Whole content of a small object (a playlist, a WebVTT); `too_large` beyond `maxBytes`. */
  readBytes(key: string, maxBytes: number): Promise<Buffer>;

  /** Makes a copy of the object at `localPath`, which the caller owns. */
  fetchToFile(key: string, localPath: string, signal?: AbortSignal): Promise<void>;

  /**
   * Runs `use` with a path that holds the object's bytes, for tools that need a file. The path is
   * read-only and valid until `use` settles. The local adapter makes no copy.
   */
  withLocalFile<T>(
    key: string,
    use: (localPath: string) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>;

  /** Deleting what does not exist is no error. */
  delete(key: string): Promise<void>;
  /** `prefix` is a folder and ends with "/". */
  deletePrefix(prefix: string): Promise<void>;
  /** Every object below a folder (`prefix` ends with "/", or is "" for all), in no order. */
  list(prefix: string): AsyncIterable<ObjectStat>;

  makeScratch(): Promise<Scratch>;
  /** Removes what crashed processes left in the scratch area; returns how many folders went. */
  sweepScratch(): Promise<number>;

  /** Bytes that can still be stored, or null where nobody can tell. */
  findFreeBytes(): Promise<number | null>;
  /** Throws when objects cannot be written and read at this moment. For readiness checks. */
  checkHealth(): Promise<void>;

  /**
   * Only where objects are plain local files: the path below the storage root, for
   * X-Accel-Redirect and sendfile-like serving. Absent on object stores.
   */
  localPath?(key: string): string;
}
