import { DataStore, Upload } from "@tus/server";
import type { Readable } from "node:stream";
import { AppError } from "#server/lib/app-error.ts";
import { newToken } from "#server/lib/ids.ts";
import { runAll } from "#server/lib/run-all.ts";
import type { Db } from "#server/db/connection.ts";
import type { StoredFiles } from "#server/features/videos/files/stored-files.service.ts";
import { sourceKey } from "#server/storage/media-keys.ts";
import { partBytesFor } from "#server/storage/s3/part-size.ts";
import type { S3Storage } from "#server/storage/s3/s3.storage.ts";
import {
  addPart,
  countOpen,
  deleteUpload,
  findUpload,
  insertUpload,
  listParts,
  listUntouched,
  markComplete,
  setTail,
  takePartNumber,
  type BucketUpload,
} from "./bucket-uploads.repository.ts";

const tailFolder = (id: string) => `uploads/${id}/`;

async function getUpload(db: Db, id: string): Promise<BucketUpload> {
  const upload = await findUpload(db, id);
  if (upload === null) {
    throw new AppError("not_found", "This upload has expired. Upload the file again.");
  }
  return upload;
}

async function completeUpload(db: Db, storage: S3Storage, id: string): Promise<void> {
  const upload = await getUpload(db, id);
  if (upload.isComplete) return;
  if (upload.partsBytes !== upload.sizeBytes) {
    throw new AppError("conflict", "The file hasn't been uploaded completely yet.");
  }
  const key = sourceKey(id);
  const parts = await listParts(db, id);
  if (parts.length === 0) await storage.putBytes(key, "");
  else await storage.completeParts({ key, uploadId: upload.s3UploadId }, parts);
  await markComplete(db, id);
}

/** Stores the bytes that follow the parts. @returns the size of all parts afterwards. */
async function flush(
  db: Db,
  storage: S3Storage,
  upload: BucketUpload,
  partsBytes: number,
  bytes: Buffer,
): Promise<number> {
  const target = { key: sourceKey(upload.id), uploadId: upload.s3UploadId };
  const number = await takePartNumber(db, upload.id);
  const part = await storage.storePart(target, number, bytes);
  if (!(await addPart(db, upload.id, partsBytes, part))) throw continuedElsewhereError();
  return partsBytes + bytes.length;
}

async function readTail(storage: S3Storage, upload: BucketUpload): Promise<Buffer> {
  const { tailKey, tailBytes, sizeBytes } = upload;
  if (tailKey === null) return Buffer.alloc(0);
  return (await storage.readBytes(tailKey, partBytesFor(sizeBytes))).subarray(0, tailBytes);
}

/**
 * Resumable uploads in the bucket. The bytes become parts of the future source object. The database
 * records them, so any process can continue an upload that another one started.
 */
export function createBucketUploads(db: Db, storage: S3Storage, storedFiles: StoredFiles) {
  const writes = new Map<string, Promise<number>>();

  async function write(source: AsyncIterable<Uint8Array>, id: string): Promise<number> {
    const upload = await getUpload(db, id);
    const partBytes = partBytesFor(upload.sizeBytes);
    let { partsBytes } = upload;
    const chunks = [await readTail(storage, upload)];
    let length = upload.tailBytes;
    let failure: { error: unknown } | null = null;
    try {
      for await (const chunk of source) {
        chunks.push(Buffer.from(chunk));
        length += chunk.length;
        while (length >= partBytes) {
          const all = Buffer.concat(chunks.splice(0));
          partsBytes = await flush(db, storage, upload, partsBytes, all.subarray(0, partBytes));
          chunks.push(all.subarray(partBytes));
          length -= partBytes;
        }
      }
    } catch (error) {
      // Bytes received before the connection broke are stored, unless the storage failed.
      if (error instanceof AppError) throw error;
      failure = { error };
    }
    const rest = Buffer.concat(chunks);
    const arrivedBytes = partsBytes + rest.length;
    const isWhole = arrivedBytes === upload.sizeBytes;
    if (isWhole && rest.length > 0) {
      await flush(db, storage, upload, partsBytes, rest);
    } else if (arrivedBytes > upload.partsBytes + upload.tailBytes && rest.length > 0) {
      const key = `${tailFolder(id)}${newToken(9)}`;
      await storage.putBytes(key, rest);
      const tail = { key, sizeBytes: rest.length };
      if (!(await setTail(db, id, partsBytes, tail))) throw continuedElsewhereError();
    }
    if (upload.tailKey !== null && arrivedBytes > upload.partsBytes + upload.tailBytes) {
      await storage.delete(upload.tailKey).catch(() => undefined);
    }
    if (failure !== null) throw failure.error;
    if (isWhole) await completeUpload(db, storage, id);
    return arrivedBytes;
  }

  /** Deletes everything except the object, which now belongs to a video. */
  async function forget(id: string): Promise<void> {
    await storage.deletePrefix(tailFolder(id));
    await deleteUpload(db, id);
  }

  /** Deletes all data of an upload, unless it became a video's source. */
  async function discard(id: string): Promise<void> {
    const upload = await findUpload(db, id);
    if (upload === null) return;
    // The upload became a video but wasn't cleaned up.
    if (await storedFiles.isVideoSource(sourceKey(id))) return forget(id);
    await storage.abortParts({ key: sourceKey(id), uploadId: upload.s3UploadId });
    await storage.delete(sourceKey(id));
    await forget(id);
  }

  class BucketStore extends DataStore {
    override extensions = ["creation", "termination"];

    override async create(file: Upload): Promise<Upload> {
      await insertUpload(db, {
        id: file.id,
        account: file.metadata?.["account"] ?? null,
        sizeBytes: file.size ?? 0,
        metadata: file.metadata ?? {},
        s3UploadId: await storage.beginParts(sourceKey(file.id)),
      });
      return file;
    }

    override write(stream: Readable, id: string): Promise<number> {
      const writing = write(stream, id);
      writes.set(id, writing);
      return writing;
    }

    override async getUpload(id: string): Promise<Upload> {
      const upload = await getUpload(db, id);
      return new Upload({
        id,
        size: upload.sizeBytes,
        offset: upload.partsBytes + upload.tailBytes,
        metadata: upload.metadata,
        creation_date: upload.createdAt.toISOString(),
      });
    }

    override remove = discard;
  }

  return {
    store: new BucketStore(),
    find: (id: string): Promise<BucketUpload | null> => findUpload(db, id),
    /**
     * Waits until this process no longer writes to an upload. Holds the upload's lock until then.
     */
    async settle(id: string): Promise<void> {
      const writing = writes.get(id);
      await writing?.catch(() => undefined);
      if (writes.get(id) === writing) writes.delete(id);
    },
    /**
     * Combines the parts into one object, `sourceKey(id)`. Can be repeated.
     * @throws conflict if bytes are missing.
     */
    complete: (id: string): Promise<void> => completeUpload(db, storage, id),
    countOpen: (account: string | null, since: Date): Promise<number> =>
      countOpen(db, account, since),
    forget,
    discard,
    async sweep(untouchedMs: number): Promise<number> {
      const ids = await listUntouched(db, new Date(Date.now() - untouchedMs));
      await runAll(ids.map((id) => () => discard(id)));
      return ids.length;
    },
  };
}

export type BucketUploads = ReturnType<typeof createBucketUploads>;

const continuedElsewhereError = () =>
  new AppError("conflict", "Another request has already continued this upload.");
