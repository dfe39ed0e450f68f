import { open, type FileHandle } from "node:fs/promises";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { partBytesFor, type StoredPart } from "./part-size.ts";
import {
  abortParts,
  beginParts,
  completeParts,
  storePart,
  type PartUpload,
} from "./part-upload.ts";
import type { Bucket } from "./s3-client.ts";

/**
 * Number of parts of one file sent concurrently. They take 48 MB of memory with the usual part
 * size.
 */
const partsAtOnce = 3;

/** Metadata of objects in the bucket. */
export interface About {
  ContentType: string;
  CacheControl: string;
}

export async function putObject(
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

/**
 * Sends a local file to the bucket, even while the file is still growing. `grow` reports the file's
 * size, and complete parts are sent in the meantime. A file that fits into one part is sent once it
 * is complete.
 */
export interface FileSender {
  /** Reports the bytes written so far. Waits while enough parts are being sent. */
  grow(sizeBytes: number): Promise<void>;
  /** Completes the file and makes it an object. */
  finish(sizeBytes: number): Promise<void>;
  /** Cleans up. Must be called at the end in every case. */
  end(): Promise<void>;
}

export function createFileSender(
  bucket: Bucket,
  options: {
    key: string;
    localPath: string;
    maxBytes: number;
    about: About;
    signal?: AbortSignal | undefined;
  },
): FileSender {
  const { key, localPath, about, signal } = options;
  const partBytes = partBytesFor(options.maxBytes);
  const parts: StoredPart[] = [];
  const onTheWay = new Set<Promise<void>>();
  let upload: PartUpload | null = null;
  let isComplete = false;
  let file: FileHandle | null = null;
  let count = 0;
  /** Failure of the first failed part. */
  let failure: { error: unknown } | null = null;

  async function read(start: number, length: number): Promise<Buffer> {
    file ??= await open(localPath, "r");
    const bytes = Buffer.allocUnsafe(length);
    for (let at = 0; at < length;) {
      const { bytesRead } = await file.read(bytes, at, length - at, start + at);
      if (bytesRead === 0) throw new Error("The file is shorter than expected.");
      at += bytesRead;
    }
    return bytes;
  }

  async function send(length: number): Promise<void> {
    while (onTheWay.size >= partsAtOnce) await Promise.race(onTheWay);
    if (failure !== null) throw failure.error;
    signal?.throwIfAborted();
    upload ??= { key, uploadId: await beginParts(bucket, key, about) };
    const number = (count += 1);
    const bytes = await read((number - 1) * partBytes, length);
    const sending = storePart(bucket, upload, number, bytes)
      .then((part) => void parts.push(part))
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => onTheWay.delete(sending));
    onTheWay.add(sending);
  }

  return {
    async grow(sizeBytes) {
      while (sizeBytes >= (count + 1) * partBytes) await send(partBytes);
    },

    async finish(sizeBytes) {
      if (upload === null && sizeBytes <= partBytes) {
        signal?.throwIfAborted();
        await putObject(bucket, key, await read(0, sizeBytes), about);
        isComplete = true;
        return;
      }
      await this.grow(sizeBytes);
      const rest = sizeBytes - count * partBytes;
      if (rest > 0) await send(rest);
      await Promise.all(onTheWay);
      if (failure !== null) throw failure.error;
      signal?.throwIfAborted();
      if (upload !== null) await completeParts(bucket, upload, parts);
      isComplete = true;
    },

    async end() {
      await Promise.all(onTheWay);
      await file?.close();
      file = null;
      if (upload !== null && !isComplete) await abortParts(bucket, upload);
      upload = null;
    },
  };
}
