import { rm } from "node:fs/promises";
import { DeleteObjectCommand, CopyObjectCommand, UploadPartCopyCommand } from "@aws-sdk/client-s3";
import { AppError, isNotFound } from "#server/lib/app-error.ts";
import { sourcePrefix } from "../media-keys.ts";
import {
  idName,
  assertStorageKey,
  assertStoragePrefix,
  contentTypeOf,
  type PlaceStorage,
} from "../storage.ts";
import { listObjects } from "./list-bucket.ts";
import type { Bucket } from "./s3-client.ts";
import { translateS3Error } from "./s3-errors.ts";
import type { S3Reads } from "./s3-reads.ts";
import { putObject, sendFile, type About } from "./send-file.ts";
import type { StoredPart } from "./part-size.ts";
import { putParts } from "./part-upload.ts";

/** S3 copies at most 5 GB with one request. */
const maxCopyBytes = 4 * 1024 ** 3;
const rangeBytes = 1024 ** 3;

/** Copies inside the bucket. No bytes pass through this process. */
export async function copyObject(
  bucket: Bucket,
  from: { key: string; sizeBytes: number },
  key: string,
  about: About,
): Promise<void> {
  const source = { CopySource: `${bucket.name}/${bucket.prefix}${from.key}` };
  const target = { Bucket: bucket.name, Key: bucket.prefix + key };
  if (from.sizeBytes <= maxCopyBytes) {
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

export const objectMetadata = (key: string): About => ({
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
export function createS3Writes(bucket: Bucket, { getStat, dropStat }: S3Reads): S3Writes {
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
