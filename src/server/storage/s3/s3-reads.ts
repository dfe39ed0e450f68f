import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { GetObjectCommand, HeadObjectCommand } from "@aws-sdk/client-s3";
import { setTimeout as wait } from "node:timers/promises";
import { AppError, isNotFound } from "#server/lib/app-error.ts";
import { translateDiskError } from "../disk-error.ts";
import { publishedPrefix } from "../media-keys.ts";
import type { ScratchArea } from "../scratch-area.ts";
import {
  idName,
  assertStorageKey,
  assertStoragePrefix,
  contentTypeOf,
  type ObjectStat,
  type PlaceReads,
  type PlaceStorage,
} from "../storage.ts";
import { listObjects } from "./list-bucket.ts";
import type { Bucket } from "./s3-client.ts";
import { isChanged, translateS3Error } from "./s3-errors.ts";

/** Maximum number of consecutive interruptions of a body without receiving a byte in between. */
const maxBreaks = 4;
const pauseMs = 200;
/** The viewer would get other bytes than announced, or the next response on the connection. */
const wrongRange = "Object storage didn't return the requested range.";

/**
 * Yields the bytes from `start` to `end`, both included. If the body is interrupted, continues
 * after the last received byte as long as the object is the same.
 */
export async function* readObject(
  bucket: Bucket,
  object: { key: string; etag: string },
  { start, end }: { start: number; end: number },
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let breaks = 0;
  for (let at = start; at <= end;) {
    const body = await openBody(bucket, object, { start: at, end }, signal);
    try {
      for await (const chunk of body) {
        if (!(chunk instanceof Uint8Array))
          throw new Error("Object storage returned an empty body.");
        at += chunk.byteLength;
        if (at > end + 1) throw translateS3Error(new Error(wrongRange));
        breaks = 0;
        yield chunk;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (breaks >= maxBreaks || error instanceof AppError) throw translateS3Error(error);
    } finally {
      body.destroy();
    }
    if (at > end) return;
    // The body ended early, with or without an error.
    breaks += 1;
    if (breaks > maxBreaks) throw translateS3Error(new Error("The object is incomplete."));
    await wait(
      pauseMs * 2 ** breaks * Math.random(),
      undefined,
      signal === undefined ? {} : { signal },
    );
  }
}

async function openBody(
  bucket: Bucket,
  { key, etag }: { key: string; etag: string },
  { start, end }: { start: number; end: number },
  signal: AbortSignal | undefined,
): Promise<Readable> {
  const { Body, ContentLength, $metadata } = await bucket
    .run((client) =>
      client.send(
        new GetObjectCommand({
          Bucket: bucket.name,
          Key: bucket.prefix + key,
          Range: `bytes=${start}-${end}`,
          IfMatch: etag,
        }),
        signal === undefined ? {} : { abortSignal: signal },
      ),
    )
    .catch((error: unknown) => {
      if (!isChanged(error)) throw error;
      throw new AppError("not_found", "This file has been replaced.", { cause: error });
    });
  if (!(Body instanceof Readable)) throw new Error("Object storage didn't return a stream.");
  const isRange =
    ContentLength === undefined
      ? $metadata.httpStatusCode === 206
      : ContentLength === end - start + 1;
  if (isRange) return Body;
  Body.destroy();
  throw translateS3Error(new Error(wrongRange));
}

/**
 * Caches metadata of objects briefly. Otherwise each range of a file would request it again.
 * Objects never change under their key. If one was deleted, the request for its bytes fails.
 */
export function createStatCache<T>(options: { keepMs: number; maxEntries: number }): {
  find(key: string): T | null;
  keep(key: string, stat: T): T;
  drop(key: string): void;
} {
  const entries = new Map<string, { until: number; stat: T }>();
  return {
    find(key) {
      const entry = entries.get(key);
      return entry !== undefined && entry.until > performance.now() ? entry.stat : null;
    },
    keep(key, stat) {
      if (entries.size >= options.maxEntries) entries.clear();
      entries.set(key, { until: performance.now() + options.keepMs, stat });
      return stat;
    },
    drop(key) {
      entries.delete(key);
    },
  };
}

/** Object with the bucket's metadata. */
interface S3Stat extends ObjectStat {
  etag: string;
}

export interface S3Reads extends PlaceReads, Pick<PlaceStorage, "readId"> {
  getStat(key: string): Promise<S3Stat>;
  /** Forgets the cached metadata of an object that changed. */
  dropStat(key: string): void;
}

/** Reads objects from the bucket. Their metadata is cached for a minute. */
export function createS3Reads(bucket: Bucket, scratch: ScratchArea): S3Reads {
  const stats = createStatCache<S3Stat>({ keepMs: 60_000, maxEntries: 10_000 });

  async function fetchStat(key: string): Promise<S3Stat> {
    const command = new HeadObjectCommand({ Bucket: bucket.name, Key: bucket.prefix + key });
    const head = await bucket.run((client) => client.send(command));
    return {
      key,
      sizeBytes: head.ContentLength ?? 0,
      modifiedAt: head.LastModified ?? new Date(0),
      contentType: contentTypeOf(key),
      etag: head.ETag ?? "",
    };
  }

  async function getStat(key: string): Promise<S3Stat> {
    assertStorageKey(key);
    return stats.find(key) ?? stats.keep(key, await fetchStat(key));
  }

  return {
    getStat,
    dropStat: (key) => stats.drop(key),
    findStat: (key) => getStat(key).catch(nullIfAbsent),
    locate: async (key) => ({ place: "s3", stat: await getStat(key) }),

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

    async withLocalFile(key, use, signal) {
      await using folder = await scratch.make();
      const localPath = `${folder.path}/object`;
      const { sizeBytes, etag } = await getStat(key);
      if (sizeBytes > (await scratch.findFreeBytes())) {
        throw new AppError("storage_full", "DATA_DIR has no space left for temporary files.");
      }
      const bytes = readObject(bucket, { key, etag }, { start: 0, end: sizeBytes - 1 }, signal);
      await pipeline(Readable.from(bytes), createWriteStream(localPath, { mode: 0o600 })).catch(
        (error: unknown) => {
          throw translateDiskError(error);
        },
      );
      return await use(localPath);
    },

    async *list(prefix) {
      assertStoragePrefix(prefix);
      for await (const found of listObjects(bucket, prefix)) {
        if (found.key === idName) continue;
        if (prefix === "" && found.key.startsWith(publishedPrefix)) continue;
        yield found;
      }
    },

    // Bypasses the cache, because another process may have written the id.
    async readId() {
      const command = new GetObjectCommand({ Bucket: bucket.name, Key: bucket.prefix + idName });
      const found = await bucket.run((client) => client.send(command)).catch(nullIfAbsent);
      return (await found?.Body?.transformToString())?.trim() ?? null;
    },
  };
}

function nullIfAbsent(error: unknown): null {
  if (isNotFound(error)) return null;
  throw error;
}
