import { AsyncLocalStorage } from "node:async_hooks";
import { FileStore } from "@tus/file-store";
import { DataStore, ERRORS, Server, type Lock, type Upload } from "@tus/server";
import { createWriteStream } from "node:fs";
import { chmod, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { errorBody, errorStatus, type ErrorBody, type ErrorCode } from "#contract/errors.ts";
import { AppError } from "#server/lib/app-error.ts";
import { isUuid, newId } from "#server/lib/ids.ts";
import { ensurePrivateFolder, makeFilesPrivate } from "#server/storage/private-folder.ts";
import { sourceKey } from "#server/storage/media-keys.ts";
import { translateDiskError } from "#server/storage/disk-error.ts";
import { tooLargeMessage } from "#server/storage/receive-file.ts";
import type { S3Storage } from "#server/storage/s3/s3.storage.ts";
import type { BucketUploads } from "./bucket-uploads.ts";
import { isFinal, type FolderUpload } from "./staged-uploads.ts";
import type { UploadLocks } from "./upload-locks.ts";
import { createUploadReservations } from "./upload-reservations.ts";

/** Error that hooks of the tus server throw to set the response's status and body. */
interface TusFailure {
  status_code: number;
  body: string;
}

function failureOf(error: AppError): TusFailure {
  const body: Omit<ErrorBody, "requestId"> = { message: error.message, code: error.code };
  return { status_code: error.status, body: JSON.stringify(body) };
}

const isUnavailable = (error: unknown): boolean =>
  error instanceof AppError && error.code === "unavailable";

const isFailure = (error: unknown): error is TusFailure =>
  typeof error === "object" && error !== null && "status_code" in error && "body" in error;

/** Request that the tus server is handling, and the account that sent it. */
export const tusCall = new AsyncLocalStorage<{
  requestId: string;
  account: string | null;
  /** @throws AppError if the session ended or the role changed in the meantime. */
  requireStillAllowed: () => Promise<void>;
}>();

/** Store whose files only this user can read. */
class PrivateFileStore extends FileStore {
  override async create(file: Upload): Promise<Upload> {
    const created = await super.create(file);
    for (const name of [file.id, `${file.id}.json`]) {
      await chmod(join(this.directory, name), 0o600);
    }
    return created;
  }

  /** Throws the errors of the disk, for which the base class throws a constant one. */
  override async write(source: Readable, id: string, offset: number): Promise<number> {
    const file = createWriteStream(join(this.directory, id), { flags: "r+", start: offset });
    await pipeline(source, file);
    return offset + file.bytesWritten;
  }
}

/**
 * Returns the error code for a status of the tus server. For invalid headers and extensions, that
 * server also uses statuses that mean something else here (403, 501) or aren't used elsewhere
 * (410): see `JsonErrorServer`.
 */
function codeOf(status: number): ErrorCode {
  if (status === 410) return "not_found";
  if (status === errorStatus.unavailable) return "unavailable";
  if (status >= 500 && status !== 501) return "internal";
  const codes: ErrorCode[] = [
    "not_found",
    "conflict",
    "precondition_failed",
    "too_large",
    "unsupported_media",
  ];
  return codes.find((code) => errorStatus[code] === status) ?? "invalid";
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorStatus, code);
const refusal = errorBody.omit({ requestId: true });

/** Server whose protocol errors (412, 400, 404) have the same body as all other errors. */
class JsonErrorServer extends Server {
  override write(...[context, headers, status, body = ""]: Parameters<Server["write"]>) {
    if (status < 400) return super.write(context, headers, status, body);
    headers.set("content-type", "application/json; charset=utf-8");
    if (status === errorStatus.rate_limited) headers.set("retry-after", "60");
    if (status === errorStatus.unavailable) headers.set("retry-after", "5");
    const requestId = tusCall.getStore()?.requestId ?? "";
    const given = body.startsWith("{") ? refusal.parse(JSON.parse(body)) : null;
    const code = given !== null && isErrorCode(given.code) ? given.code : codeOf(status);
    const full: ErrorBody = { message: given?.message ?? body.trim(), code, requestId };
    return super.write(context, headers, errorStatus[code], JSON.stringify(full));
  }
}

/**
 * Returns the response for an error of the tus server or of a hook, or undefined if the error is one
 * already.
 */
function translateError(
  request: Request,
  given: unknown,
  { maxBytes, onError }: { maxBytes: number; onError: (error: unknown) => void },
): TusFailure | undefined {
  // The store's own files may be on a full or read-only disk.
  const thrown = translateDiskError(given);
  const error = thrown instanceof AppError ? failureOf(thrown) : thrown;
  if (error !== thrown && (isUnavailable(thrown) || thrown !== given)) onError(thrown);
  const status = isFailure(error) ? error.status_code : 500;
  if (isFailure(error) && error.body.startsWith("{")) return error === thrown ? undefined : error;
  if (status === 413) {
    // An upload's length is checked when it is created. After that, only a part can be too
    // long.
    const isFileTooLarge = Number(request.headers.get("upload-length") ?? 0) > maxBytes;
    const message = isFileTooLarge
      ? tooLargeMessage(maxBytes)
      : "The part exceeds the declared length of the upload.";
    return failureOf(new AppError("too_large", message));
  }
  const code = codeOf(status);
  if (code === "internal") onError(error);
  const message =
    code !== "internal" && isFailure(error)
      ? error.body.trim()
      : "The part couldn't be saved. Try again.";
  return failureOf(new AppError(code, message));
}

/** Store that saves new uploads in the current storage, and continues others where they started. */
class ChosenStore extends DataStore {
  override extensions = ["creation", "termination"];
  readonly #folder: DataStore;
  readonly #bucket: BucketUploads;
  readonly #isInBucket: () => boolean;

  constructor(folder: DataStore, bucket: BucketUploads, isInBucket: () => boolean) {
    super();
    this.#folder = folder;
    this.#bucket = bucket;
    this.#isInBucket = isInBucket;
  }

  async #holderOf(id: string): Promise<DataStore> {
    return (await this.#bucket.find(id)) === null ? this.#folder : this.#bucket.store;
  }

  override create(file: Upload): Promise<Upload> {
    return (this.#isInBucket() ? this.#bucket.store : this.#folder).create(file);
  }
  override async write(...[stream, id, offset]: Parameters<DataStore["write"]>): Promise<number> {
    return (await this.#holderOf(id)).write(stream, id, offset);
  }
  override async getUpload(id: string): Promise<Upload> {
    return (await this.#holderOf(id)).getUpload(id);
  }
  override async remove(id: string): Promise<void> {
    return (await this.#holderOf(id)).remove(id);
  }
}

/** Lock for one request, in the form that the tus server uses. */
class TusLock implements Lock {
  #release: (() => Promise<void>) | null = null;
  readonly #locks: UploadLocks;
  readonly #settle: (id: string) => Promise<void>;
  readonly #id: string;

  constructor(locks: UploadLocks, settle: (id: string) => Promise<void>, id: string) {
    this.#locks = locks;
    this.#settle = settle;
    this.#id = id;
  }

  async lock(signal: AbortSignal, requestRelease: () => unknown): Promise<void> {
    try {
      this.#release = await this.#locks.acquire(this.#id, { signal, onWanted: requestRelease });
    } catch (error) {
      throw error instanceof AppError ? failureOf(error) : error;
    }
  }

  async unlock(): Promise<void> {
    await this.#settle(this.#id);
    await this.#release?.();
  }
}

/** Metadata key of an upload's account. Clients can't set it. */
const accountKey = "account";

/**
 * Creates a tus server (1.0.0: creation, expiration, termination) for files in a folder. Errors are
 * JSON, as in the rest of the API.
 */
export function createTusServer(deps: {
  path: string;
  directory: string;
  maxBytes: number;
  /** Returns the free bytes of the storage; null if unknown. */
  findFreeBytes: () => Promise<number | null>;
  /** Uploads of sites with media in a bucket; null without one. */
  inBucket: { uploads: BucketUploads; storage: S3Storage } | null;
  /** Returns whether new uploads go to the bucket. */
  isInBucket: () => boolean;
  /** Checks a complete file. @throws AppError if it isn't a usable video. */
  inspect: (localPath: string) => Promise<unknown>;
  locks: UploadLocks;
  /** Deletes a refused file. */
  discard: (id: string) => Promise<void>;
  onError: (error: unknown) => void;
}): { server: Server; findUpload: (id: string) => Promise<FolderUpload | null> } {
  const { directory, maxBytes, findFreeBytes, inspect, locks, discard, inBucket } = deps;
  // Created here, because the store would make it readable for all users.
  ensurePrivateFolder(directory);
  makeFilesPrivate(directory);
  const folder = new PrivateFileStore({ directory });
  async function findInFolder(id: string): Promise<FolderUpload | null> {
    const upload = await folder.getUpload(id).catch(() => null);
    if (upload === null) return null;
    return { sizeBytes: upload.size ?? 0, account: upload.metadata?.[accountKey] ?? null };
  }
  const store =
    inBucket === null ? folder : new ChosenStore(folder, inBucket.uploads, deps.isInBucket);
  const findOwner = async (id: string): Promise<{ account: string | null } | null> =>
    (await inBucket?.uploads.find(id)) ?? (await findInFolder(id));
  const settle = (id: string) => inBucket?.uploads.settle(id) ?? Promise.resolve();
  const reservations = createUploadReservations({
    directory,
    findFreeBytes,
    countElsewhere: (account, since) =>
      inBucket?.uploads.countOpen(account, since) ?? Promise.resolve(0),
    findUpload: findInFolder,
  });

  const server = new JsonErrorServer({
    path: deps.path,
    datastore: store,
    locker: { newLock: (id) => new TusLock(locks, settle, id) },
    maxSize: maxBytes,
    relativeLocation: true,
    // No CORS headers, because only pages of the same origin upload.
    allowedOrigins: [],
    namingFunction: () => newId(),
    getFileIdFromRequest: (_request, lastPath) =>
      lastPath !== undefined && isUuid(lastPath) ? lastPath : undefined,
    async onIncomingRequest(request, id) {
      // A new upload has an id but no owner yet.
      if (request.method === "POST") return;
      const owner = await findOwner(id);
      const account = tusCall.getStore()?.account ?? null;
      // Uploads of other accounts get the same response as unknown ones.
      if (owner !== null && owner.account !== account) throw ERRORS.FILE_NOT_FOUND;
    },
    async onUploadCreate(_request, upload) {
      const account = tusCall.getStore()?.account ?? null;
      if (upload.size === undefined) {
        throw failureOf(new AppError("invalid", "The upload must declare its length."));
      }
      // PostgreSQL can't store it.
      if (Object.values(upload.metadata ?? {}).some((value) => value?.includes("\0") === true)) {
        throw failureOf(new AppError("invalid", "The metadata contains a null character."));
      }
      try {
        await reservations.reserve(upload.id, { sizeBytes: upload.size, account });
      } catch (error) {
        throw error instanceof AppError ? failureOf(error) : error;
      }
      return { metadata: { ...upload.metadata, [accountKey]: account } };
    },
    async onUploadFinish(_request, upload) {
      await tusCall.getStore()?.requireStillAllowed();
      try {
        if (inBucket !== null && (await inBucket.uploads.find(upload.id)) !== null) {
          await inBucket.uploads.complete(upload.id);
          await inBucket.storage.withLocalFile(sourceKey(upload.id), inspect);
        } else await inspect(join(directory, upload.id));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        // Environmental failures have nothing to do with the file, so it stays.
        if (isFinal(error)) await discard(upload.id);
        throw failureOf(error);
      }
      return {};
    },
    onResponseError: async (request, thrown) => translateError(request, thrown, deps),
  });

  return {
    server,
    async findUpload(id) {
      const isThere = await stat(join(directory, id)).catch(() => null);
      return isThere === null ? null : findInFolder(id);
    },
  };
}
