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

/** An object that is open for reading. Close it: it stays as it is until then, even if it is replaced. */
export interface OpenObject {
  readonly stat: ObjectStat;
  /**
   * The bytes of a range inside the object. A piece is only valid until the next one is asked for; leave
   * the loop if a piece may still be in use.
   */
  pieces(range: ByteRange): AsyncIterable<Uint8Array>;
  close(): void;
}

/** A file that has arrived: whole, as a local file, and perhaps in the storage already. */
export interface ReceivedFile {
  sizeBytes: number;
  /** Makes it an object. The local file may be gone afterwards. */
  keep(): Promise<ObjectStat>;
  /** Leaves nothing of it but a kept object. Call it at the end in any case. */
  end(): Promise<void>;
}

/** Where an object is now. */
interface ObjectLocation {
  /** `disk`: a file that a proxy of this machine can send. `s3`: see `S3Storage.signUrl`. */
  place: "disk" | "s3";
  stat: ObjectStat;
}

interface PutFileOptions {
  /** Moves the local file if possible instead of copying it. */
  consume?: boolean;
  signal?: AbortSignal;
}

/** A private temporary folder, on the disk of the objects if that is local. */
export interface Scratch extends AsyncDisposable {
  path: string;
  /** Removes the folder and its content. Never throws; may be called twice. */
  remove(): Promise<void>;
}

/**
 * Storage of objects by keys (`folder/name.ext`, see storage-key.ts). An object is complete or absent,
 * and survives a crash once its put has resolved. A key must not be the folder of another key.
 * Failures: AppError `not_found` for an unknown key, `storage_full` if the disk or quota is
 * exhausted, `unavailable` while the storage is away, `internal` for a malformed key.
 */
export interface Storage {
  putFile(key: string, localPath: string, options?: PutFileOptions): Promise<ObjectStat>;
  putBytes(key: string, bytes: Uint8Array | string): Promise<ObjectStat>;

  /**
   * Receives a stream into a new local file, for tools that need one, and sends it on to the storage
   * meanwhile. @throws AppError `too_large` beyond the limit, an abort, an error of the source.
   */
  receive(
    source: AsyncIterable<Uint8Array>,
    localPath: string,
    options: { key: string; maxBytes: number; signal?: AbortSignal },
  ): Promise<ReceivedFile>;

  getStat(key: string): Promise<ObjectStat>;
  findStat(key: string): Promise<ObjectStat | null>;

  /** For responses that something else sends. */
  locate(key: string): Promise<ObjectLocation>;

  openRead(key: string): Promise<OpenObject>;

  /** Whole content of a small object (a playlist, a WebVTT); `too_large` beyond `maxBytes`. */
  readBytes(key: string, maxBytes: number): Promise<Buffer>;

  /** Copies the object to `localPath`. */
  fetchToFile(key: string, localPath: string, signal?: AbortSignal): Promise<void>;

  /**
   * Calls `use` with the path of a local file that holds the object, for tools that need a file. The
   * path is read-only and valid until `use` settles. The local adapter copies nothing.
   */
  withLocalFile<T>(
    key: string,
    use: (localPath: string) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>;

  /** Does nothing for an unknown key. */
  delete(key: string): Promise<void>;
  /** `prefix` is a folder and ends with "/". */
  deletePrefix(prefix: string): Promise<void>;
  /** Every object below a folder (`prefix` ends with "/", or is "" for all), in no order. */
  list(prefix: string): AsyncIterable<ObjectStat>;

  createScratch(): Promise<Scratch>;
  /**
   * Removes the scratch folders of processes that have ended, and what abandoned uploads left in the
   * storage; returns how many folders.
   */
  sweepScratch(): Promise<number>;

  /** Free bytes; null if unknown. */
  findFreeBytes(): Promise<number | null>;
  /** For readiness checks, without writing anything. @throws if the objects are not reachable now. */
  checkHealth(): Promise<void>;
}

/** Where a storage keeps its id. No list of objects holds it. */
export const idName = "storage-id";

/** A storage that a site can be moved to, told from others by its id. */
export interface PlaceStorage extends Storage {
  /** Null in a storage that has none. */
  readId(): Promise<string | null>;
  writeId(id: string): Promise<void>;
}
