import { rm, stat } from "node:fs/promises";
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import type { S3Config } from "#server/config.ts";
import { AppError } from "#server/lib/app-error.ts";
import { translateDiskError } from "../disk-error.ts";
import { publishedPrefix, sourcePrefix } from "../media-keys.ts";
import { receiveToFile } from "../receive-file.ts";
import type { ScratchArea } from "../scratch-area.ts";
import { assertStorageKey, assertStoragePrefix, contentTypeOf } from "../storage-key.ts";
import { idName, type ObjectStat, type PlaceStorage } from "../storage.ts";
import { copyObject } from "./copy-object.ts";
import { abortOldUploads, listObjects } from "./list-bucket.ts";
import { readObject } from "./read-object.ts";
import type { StoredPart } from "./part-size.ts";
import {
  abortParts,
  beginParts,
  completeParts,
  storePart,
  type PartUpload,
} from "./part-upload.ts";
import { openBucket } from "./s3-client.ts";
import { createFileSender, putObject, type About } from "./send-file.ts";
import { createStatCache } from "./stat-cache.ts";

/** Longer than any upload may take; see `uploads.jobs.ts`. */
const oldUploadMs = 14 * 24 * 3600 * 1000;
const deletesAtOnce = 8;

/** Object with the bucket's metadata. */
interface S3Stat extends ObjectStat {
  etag: string;
}

export interface S3Storage extends PlaceStorage {
  /** Starts a multipart upload. @returns its id. */
  beginParts(key: string): Promise<string>;
  storePart(upload: PartUpload, number: number, bytes: Uint8Array): Promise<StoredPart>;
  /** Completes the parts into one object. */
  completeParts(upload: PartUpload, parts: readonly StoredPart[]): Promise<void>;
  /** Aborts an upload. Never throws. */
  abortParts(upload: PartUpload): Promise<void>;
  /**
   * Returns an address that anyone can use for a while. It stays the same for half of that time.
   */
  signUrl(key: string, expiresInS: number): Promise<string>;
  /** Copies inside the bucket. */
  copy(from: string, to: string): Promise<void>;
}

const objectMetadata = (key: string): About => ({
  ContentType: contentTypeOf(key),
  CacheControl: key.startsWith(sourcePrefix)
    ? "private, no-store"
    : "public, max-age=31536000, immutable",
});

/**
 * Creates a storage in a bucket of S3 or of a compatible engine. Local files for tools are made in
 * the scratch area. Objects are private, and the site issues signed addresses.
 */
export function createS3Storage(options: { config: S3Config; scratch: ScratchArea }): S3Storage {
  const bucket = openBucket(options.config);
  const { scratch } = options;
  const stats = createStatCache<S3Stat>({ keepMs: 60_000, maxEntries: 10_000 });
  const objectOf = (key: string) => ({ Bucket: bucket.name, Key: bucket.prefix + key });

  async function getStat(key: string): Promise<S3Stat> {
    assertStorageKey(key);
    return (
      stats.find(key) ??
      stats.keep(
        key,
        await bucket.run(async (client) => {
          const head = await client.send(new HeadObjectCommand(objectOf(key)));
          return {
            key,
            sizeBytes: head.ContentLength ?? 0,
            modifiedAt: head.LastModified ?? new Date(0),
            contentType: contentTypeOf(key),
            etag: head.ETag ?? "",
          };
        }),
      )
    );
  }

  async function findStat(key: string): Promise<S3Stat | null> {
    try {
      return await getStat(key);
    } catch (error) {
      if (error instanceof AppError && error.code === "not_found") return null;
      throw error;
    }
  }

  async function putFile(
    key: string,
    localPath: string,
    { consume = false, signal }: { consume?: boolean; signal?: AbortSignal } = {},
  ): Promise<ObjectStat> {
    assertStorageKey(key);
    const { size } = await stat(localPath);
    const sender = createFileSender(bucket, {
      key,
      localPath,
      maxBytes: size,
      about: objectMetadata(key),
      ...(signal === undefined ? {} : { signal }),
    });
    try {
      await sender.finish(size);
    } finally {
      await sender.end();
    }
    stats.drop(key);
    if (consume) await rm(localPath, { force: true });
    return getStat(key);
  }

  async function fetchToFile(key: string, localPath: string, signal?: AbortSignal): Promise<void> {
    const { sizeBytes, etag } = await getStat(key);
    const free = await scratch.findFreeBytes();
    if (sizeBytes > free) {
      throw new AppError("storage_full", "DATA_DIR has no space left for temporary files.");
    }
    const bytes = readObject(bucket, { key, etag }, { start: 0, end: sizeBytes - 1 }, signal);
    await pipeline(Readable.from(bytes), createWriteStream(localPath, { mode: 0o600 })).catch(
      (error: unknown) => {
        throw translateDiskError(error);
      },
    );
  }

  async function remove(key: string): Promise<void> {
    stats.drop(key);
    // The protocol doesn't define the response for an unknown key. Some engines respond with 404.
    await bucket
      .run((client) => client.send(new DeleteObjectCommand(objectOf(key))))
      .catch((error: unknown) => {
        if (!(error instanceof AppError && error.code === "not_found")) throw error;
      });
  }

  return {
    beginParts: (key) => beginParts(bucket, key, objectMetadata(key)),
    storePart: (upload, number, bytes) => storePart(bucket, upload, number, bytes),
    completeParts: (upload, parts) => completeParts(bucket, upload, parts),
    abortParts: (upload) => abortParts(bucket, upload),
    putFile,

    async putBytes(key, bytes) {
      assertStorageKey(key);
      await putObject(bucket, key, bytes, objectMetadata(key));
      stats.drop(key);
      return getStat(key);
    },

    async receive(source, localPath, { key, maxBytes, signal }) {
      assertStorageKey(key);
      const sender = createFileSender(bucket, {
        key,
        localPath,
        maxBytes,
        about: objectMetadata(key),
        ...(signal === undefined ? {} : { signal }),
      });
      try {
        const { sizeBytes } = await receiveToFile(source, localPath, {
          maxBytes,
          onGrowth: (size) => sender.grow(size),
          ...(signal === undefined ? {} : { signal }),
        });
        return {
          sizeBytes,
          async keep() {
            await sender.finish(sizeBytes);
            stats.drop(key);
            return getStat(key);
          },
          end: () => sender.end(),
        };
      } catch (error) {
        await sender.end();
        throw error;
      }
    },

    getStat,
    findStat,

    async locate(key) {
      return { place: "s3", stat: await getStat(key) };
    },

    async openRead(key) {
      const found = await getStat(key);
      return {
        stat: found,
        pieces: (range) => readObject(bucket, found, range),
        close: () => undefined,
      };
    },

    async readBytes(key, maxBytes) {
      const { sizeBytes, etag } = await getStat(key);
      if (sizeBytes > maxBytes) throw new AppError("too_large", "The stored file is too large.");
      const pieces: Uint8Array[] = [];
      const all = { start: 0, end: sizeBytes - 1 };
      for await (const piece of readObject(bucket, { key, etag }, all)) pieces.push(piece);
      return Buffer.concat(pieces);
    },

    fetchToFile,

    async withLocalFile(key, use, signal) {
      await using folder = await scratch.make();
      const localPath = `${folder.path}/object`;
      await fetchToFile(key, localPath, signal);
      return await use(localPath);
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

    async *list(prefix) {
      assertStoragePrefix(prefix);
      for await (const found of listObjects(bucket, prefix)) {
        if (found.key === idName) continue;
        if (prefix === "" && found.key.startsWith(publishedPrefix)) continue;
        yield found;
      }
    },

    createScratch: () => scratch.make(),

    async sweepScratch() {
      await abortOldUploads(bucket, new Date(Date.now() - oldUploadMs));
      return scratch.sweep();
    },

    // Received data is also a local file, for the probe.
    findFreeBytes: () => scratch.findFreeBytes(),

    checkHealth: async () => {
      await bucket.client.send(new HeadBucketCommand({ Bucket: bucket.name }));
    },

    async readId() {
      // Bypasses the cache, because another process may have written it.
      const pieces: Uint8Array[] = [];
      try {
        const { Body } = await bucket.run((client) =>
          client.send(new GetObjectCommand(objectOf(idName))),
        );
        if (!(Body instanceof Readable)) throw new Error("Object storage didn't return a stream.");
        for await (const piece of Body) if (piece instanceof Uint8Array) pieces.push(piece);
      } catch (error) {
        if (error instanceof AppError && error.code === "not_found") return null;
        throw error;
      }
      return Buffer.concat(pieces).toString().trim();
    },

    writeId: (id) =>
      putObject(bucket, idName, `${id}\n`, {
        ContentType: "text/plain",
        CacheControl: "private, no-store",
      }),

    signUrl(key, expiresInS) {
      assertStorageKey(key);
      const halfMs = (expiresInS * 1000) / 2;
      return getSignedUrl(bucket.publicClient, new GetObjectCommand(objectOf(key)), {
        expiresIn: expiresInS,
        // The same address for a while, so that browsers can cache the file.
        signingDate: new Date(Math.floor(Date.now() / halfMs) * halfMs),
      });
    },

    async copy(from, to) {
      assertStorageKey(to);
      await copyObject(bucket, await getStat(from), to, objectMetadata(to));
      stats.drop(to);
    },
  };
}
