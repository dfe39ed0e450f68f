import {
  GetObjectCommand,
  HeadBucketCommand,
  DeleteObjectCommand,
  CopyObjectCommand,
  UploadPartCopyCommand,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { rm, open, type FileHandle } from "node:fs/promises";
import type { S3Config } from "#server/config.ts";
import { AppError, isNotFound } from "#server/lib/app-error.ts";
import { warnLimited } from "#server/lib/logger.ts";
import type { ScratchArea } from "../scratch-area.ts";
import {
  assertStorageKey,
  idName,
  assertStoragePrefix,
  contentTypeOf,
  type PlaceStorage,
} from "../storage.ts";
import { sourcePrefix } from "../media-keys.ts";
import { abortOldUploads, listObjects } from "./list-bucket.ts";
import { partBytesFor, type StoredPart } from "./part-size.ts";
import {
  abortParts,
  beginParts,
  completeParts,
  storePart,
  putParts,
  type PartUpload,
} from "./part-upload.ts";
import { openBucket, type Bucket } from "./s3-client.ts";
import { createS3Reads, type S3Reads } from "./s3-reads.ts";
import { isDenied, translateS3Error } from "./s3-errors.ts";

/**
 * Number of parts of one file sent concurrently. They take 48 MB of memory with the usual part
 * size.
 */
const partsAtOnce = 3;

/** Metadata of objects in the bucket. */
interface About {
  ContentType: string;
  CacheControl: string;
}

async function putObject(
  bucket: Bucket,
  key: string,
  bytes: Uint8Array | string,
  about: About,
): Promise<void> {
  await bucket.run((client) =>
    client.send(
      new PutObjectCommand({
        ...about,
        Bucket: bucket.name,
        Key: bucket.prefix + key,
        Body: typeof bytes === "string" ? Buffer.from(bytes) : bytes,
      }),
    ),
  );
}

/** Sends a local file to the bucket. A part stays in memory until it is stored. */
export async function sendFile(
  bucket: Bucket,
  localPath: string,
  object: { key: string; about: About; signal?: AbortSignal | undefined },
): Promise<{ sizeBytes: number }> {
  const { key, about, signal } = object;
  await using file = await open(localPath, "r");
  const { size: sizeBytes } = await file.stat();
  const partBytes = partBytesFor(sizeBytes);
  if (sizeBytes <= partBytes) {
    signal?.throwIfAborted();
    await putObject(bucket, key, await readPart(file, 0, sizeBytes), about);
    return { sizeBytes };
  }
  const parts: StoredPart[] = [];
  let nextStart = 0;
  let hasFailed = false;
  const sendParts = async (upload: PartUpload) => {
    try {
      while (nextStart < sizeBytes && !hasFailed) {
        signal?.throwIfAborted();
        const start = nextStart;
        nextStart += partBytes;
        const bytes = await readPart(file, start, Math.min(partBytes, sizeBytes - start));
        parts.push(await storePart(bucket, upload, start / partBytes + 1, bytes));
      }
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
  await putParts(bucket, key, about, async (upload) => {
    const sending = Array.from({ length: partsAtOnce }, () => sendParts(upload));
    // No part may be in flight when the upload is aborted.
    await Promise.allSettled(sending);
    await Promise.all(sending);
    signal?.throwIfAborted();
    return parts;
  });
  return { sizeBytes };
}

async function readPart(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length;) {
    const { bytesRead } = await file.read(bytes, at, length - at, start + at);
    if (bytesRead === 0) throw new Error("The file is shorter than expected.");
    at += bytesRead;
  }
  return bytes;
}

/** Bytes copied with one request. Many services respond only when all bytes are copied. */
const rangeBytes = 256 * 1024 ** 2;

/** Copies inside the bucket. No bytes pass through this process. */
export async function copyObject(
  bucket: Bucket,
  from: { key: string; sizeBytes: number },
  key: string,
  about: About,
): Promise<void> {
  const source = { CopySource: `${bucket.name}/${bucket.prefix}${from.key}` };
  const target = { Bucket: bucket.name, Key: bucket.prefix + key };
  if (from.sizeBytes <= rangeBytes) {
    await bucket.run((client) => client.send(new CopyObjectCommand({ ...source, ...target })));
    return;
  }
  await putParts(bucket, key, about, async ({ uploadId }) => {
    const parts: StoredPart[] = [];
    for (let start = 0; start < from.sizeBytes; start += rangeBytes) {
      const end = Math.min(start + rangeBytes, from.sizeBytes) - 1;
      const number = parts.length + 1;
      const { CopyPartResult } = await bucket.run((client) =>
        client.send(
          new UploadPartCopyCommand({
            ...source,
            ...target,
            UploadId: uploadId,
            PartNumber: number,
            CopySourceRange: `bytes=${start}-${end}`,
          }),
        ),
      );
      parts.push({ number, etag: CopyPartResult?.ETag ?? "", sizeBytes: end - start + 1 });
    }
    return parts;
  });
}

const deletesAtOnce = 8;

const objectMetadata = (key: string): About => ({
  ContentType: contentTypeOf(key),
  CacheControl: key.startsWith(sourcePrefix)
    ? "private, no-store"
    : "public, max-age=31536000, immutable",
});

interface S3Writes extends Pick<
  PlaceStorage,
  "putFile" | "putBytes" | "delete" | "deletePrefix" | "writeId"
> {
  /** Copies inside the bucket. */
  copy(from: string, to: string): Promise<void>;
}

/** Writes and deletes objects in the bucket. */
function createS3Writes(bucket: Bucket, { getStat, dropStat }: S3Reads): S3Writes {
  async function remove(key: string): Promise<void> {
    dropStat(key);
    const command = new DeleteObjectCommand({ Bucket: bucket.name, Key: bucket.prefix + key });
    // The protocol doesn't define the response for an unknown key. Some engines respond with 404.
    await bucket
      .run((client) => client.send(command))
      .catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
  }

  /** @throws AppError unavailable if the storage doesn't hold all bytes that it accepted. */
  async function getWritten(key: string, sizeBytes: number): ReturnType<typeof getStat> {
    dropStat(key);
    const written = await getStat(key);
    if (written.sizeBytes === sizeBytes) return written;
    dropStat(key);
    throw translateS3Error(
      new Error(`Object storage holds ${written.sizeBytes} of the ${sizeBytes} bytes of ${key}.`),
    );
  }

  return {
    async putFile(key, localPath, { consume = false, signal } = {}) {
      assertStorageKey(key);
      const object = { key, about: objectMetadata(key), signal };
      const { sizeBytes } = await sendFile(bucket, localPath, object);
      const written = await getWritten(key, sizeBytes);
      if (consume) await rm(localPath, { force: true });
      return written;
    },

    async putBytes(key, bytes) {
      assertStorageKey(key);
      await putObject(bucket, key, bytes, objectMetadata(key));
      return getWritten(key, Buffer.byteLength(bytes));
    },

    async delete(key) {
      assertStorageKey(key);
      await remove(key);
    },

    async deletePrefix(prefix) {
      assertStoragePrefix(prefix);
      if (prefix === "") throw new AppError("internal", "Refusing to delete everything.");
      const waiting = new Set<Promise<void>>();
      for await (const { key } of listObjects(bucket, prefix)) {
        const removing = remove(key).finally(() => waiting.delete(removing));
        waiting.add(removing);
        if (waiting.size >= deletesAtOnce) await Promise.race(waiting);
      }
      await Promise.all(waiting);
    },

    async copy(from, to) {
      assertStorageKey(to);
      await copyObject(bucket, await getStat(from), to, objectMetadata(to));
      dropStat(to);
    },

    writeId: (id) =>
      putObject(bucket, idName, `${id}\n`, {
        ContentType: "text/plain",
        CacheControl: "private, no-store",
      }),
  };
}

/** Longer than any upload may take; see `uploads.jobs.ts`. */
const oldUploadMs = 14 * 24 * 3600 * 1000;

export interface S3Storage extends PlaceStorage {
  /** Starts a multipart upload. @returns its id. */
  beginParts(key: string): Promise<string>;
  storePart(upload: PartUpload, number: number, bytes: Uint8Array): Promise<StoredPart>;
  /** Combines the parts into one object. Can be repeated. */
  completeParts(upload: PartUpload, parts: readonly StoredPart[]): Promise<void>;
  /** Aborts an upload. Never throws. */
  abortParts(upload: PartUpload): Promise<void>;
  /**
   * Returns an address that anyone can use for a while. The address stays the same for half of that
   * time.
   */
  signUrl(key: string, expiresInS: number): Promise<string>;
  /** Copies inside the bucket. */
  copy(from: string, to: string): Promise<void>;
  /** Drops the cached metadata of an object that another process may have changed. */
  dropStat(key: string): void;
}

/**
 * Creates a storage in a bucket of S3 or a compatible engine. Local files for tools are created in
 * the scratch area. Objects are private, and the site issues signed addresses.
 */
export function createS3Storage(options: {
  config: S3Config;
  scratch: ScratchArea;
  pausesMs?: readonly number[] | undefined;
}): S3Storage {
  const bucket = openBucket(options.config, options.pausesMs);
  const { scratch } = options;
  const reads = createS3Reads(bucket, scratch);
  return {
    ...reads,
    ...createS3Writes(bucket, reads),

    beginParts: (key) => beginParts(bucket, key, objectMetadata(key)),
    storePart: (upload, number, bytes) => storePart(bucket, upload, number, bytes),
    completeParts: (upload, parts) => completeParts(bucket, upload, parts),
    abortParts: (upload) => abortParts(bucket, upload),

    createScratch: () => scratch.make(),

    async sweepScratch(logger) {
      try {
        await abortOldUploads(bucket, new Date(Date.now() - oldUploadMs));
      } catch (error) {
        if (!isDenied(error)) throw error;
        warnLimited(
          logger,
          "abandoned uploads",
          { err: error },
          "couldn't list or abort unfinished uploads (access denied), so abandoned parts take up space",
        );
      }
      return scratch.sweep();
    },

    // Uploads are stored locally first, for the probe.
    findFreeBytes: () => scratch.findFreeBytes(),

    checkHealth: async () => {
      await bucket.client.send(new HeadBucketCommand({ Bucket: bucket.name }));
    },

    signUrl(key, expiresInS) {
      assertStorageKey(key);
      const halfMs = (expiresInS * 1000) / 2;
      const command = new GetObjectCommand({ Bucket: bucket.name, Key: bucket.prefix + key });
      return getSignedUrl(bucket.publicClient, command, {
        expiresIn: expiresInS,
        // Keeps the address the same for a while, so that browsers can cache the file.
        signingDate: new Date(Math.floor(Date.now() / halfMs) * halfMs),
      });
    },
  };
}
