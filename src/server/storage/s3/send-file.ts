import { open, type FileHandle } from "node:fs/promises";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { partBytesFor, type StoredPart } from "./part-size.ts";
import { putParts, storePart, type PartUpload } from "./part-upload.ts";
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
