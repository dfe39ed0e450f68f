import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { Upload } from "@tus/server";
import { expect, test } from "vitest";
import { useTestDatabase } from "#test/database.ts";
import { createLogger } from "#server/lib/logger.ts";
import { newId } from "#server/lib/ids.ts";
import { sourceKey } from "#server/storage/media-keys.ts";
import type { S3Storage } from "#server/storage/s3/s3.storage.ts";
import { createStoredFiles } from "#server/features/videos/files/stored-files.service.ts";
import { createBucketUploads } from "./bucket-uploads.ts";
import { addPart, insertUpload, takePartNumber } from "./bucket-uploads.repository.ts";

const database = useTestDatabase();

test("deletes abandoned uploads even if the storage refuses one of them", async () => {
  const { db } = database;
  const [first, second] = [newId(), newId()];
  const refused = new Error("refused");
  const storage: Pick<S3Storage, "abortParts" | "delete" | "deletePrefix"> = {
    abortParts: async ({ key }) => {
      if (key === sourceKey(first)) throw refused;
    },
    delete: async () => undefined,
    deletePrefix: async () => undefined,
  };
  for (const id of [first, second]) {
    await insertUpload(db, { id, account: null, sizeBytes: 1, metadata: {}, s3UploadId: id });
  }
  const bucket = storage as S3Storage;
  const storedFiles = createStoredFiles({ db, storage: bucket, logger: createLogger("silent") });
  const uploads = createBucketUploads(db, bucket, storedFiles);
  await expect(uploads.sweep(-60_000)).rejects.toBe(refused);
  expect(await uploads.find(first)).not.toBeNull();
  expect(await uploads.find(second)).toBeNull();
});

const mebibyte = 1024 * 1024;
const sizeBytes = 36 * mebibyte;

/** Creates uploads in a bucket that records the sizes of the combined parts. */
function openBucket() {
  const objects = new Map<string, Uint8Array>();
  const sent = new Map<number, Uint8Array>();
  const combined: Uint8Array[] = [];
  const bucket: Pick<
    S3Storage,
    "beginParts" | "storePart" | "completeParts" | "putBytes" | "readBytes" | "delete"
  > = {
    beginParts: async () => "s3",
    async storePart(_upload, number, bytes) {
      sent.set(number, Buffer.from(bytes));
      return { number, etag: "", sizeBytes: bytes.length };
    },
    async completeParts(_upload, parts) {
      combined.push(...parts.map(({ number }) => sent.get(number) ?? new Uint8Array()));
    },
    async putBytes(key, bytes) {
      objects.set(key, Buffer.from(bytes));
      return { key, sizeBytes: bytes.length, modifiedAt: new Date(), contentType: "" };
    },
    async readBytes(key, maxBytes) {
      const bytes = Buffer.from(objects.get(key) ?? []);
      expect(bytes.length).toBeLessThanOrEqual(maxBytes);
      return bytes;
    },
    delete: async (key) => void objects.delete(key),
  };
  const storage = bucket as S3Storage;
  const { db } = database;
  const storedFiles = createStoredFiles({ db, storage, logger: createLogger("silent") });
  return { uploads: createBucketUploads(db, storage, storedFiles), objects, combined };
}

/** Yields bytes in pieces, then fails if the connection is lost. */
async function* arrive(bytes: Uint8Array, isLost: boolean) {
  for (let at = 0; at < bytes.length; at += 700_000) yield bytes.subarray(at, at + 700_000);
  if (isLost) throw new Error("lost");
}

test.each([
  ["an interruption in the middle of a part", [16, 7, 13], [1]],
  ["repeated interruptions", [3, 9, 11, 13], [0, 1, 2]],
  ["larger chunks of a client", [20, 16], []],
  ["smaller chunks of a client", [6, 6, 6, 6, 6, 6], []],
])("stores parts of the same size after %s", async (_name, requests, lost) => {
  const { uploads, objects, combined } = openBucket();
  const id = newId();
  await uploads.store.create(new Upload({ id, size: sizeBytes, offset: 0 }));
  const file = randomBytes(sizeBytes);
  let offset = 0;
  for (const [at, mebibytes] of requests.entries()) {
    const isLost = lost.includes(at);
    const bytes = file.subarray(offset, offset + mebibytes * mebibyte);
    const writing = uploads.store.write(Readable.from(arrive(bytes, isLost)), id);
    if (isLost) await expect(writing).rejects.toThrow("lost");
    else await writing;
    offset += bytes.length;
    expect(await uploads.store.getUpload(id)).toMatchObject({ offset });
  }
  expect(combined.map(({ length }) => length / mebibyte)).toEqual([16, 16, 4]);
  expect(Buffer.concat(combined).equals(file)).toBe(true);
  expect(objects.size).toBe(0);
});

test("completes an upload with a shorter part from an earlier version", async () => {
  const { uploads, combined } = openBucket();
  const id = newId();
  await uploads.store.create(new Upload({ id, size: sizeBytes, offset: 0 }));
  const partsBytes = 7 * mebibyte;
  const number = await takePartNumber(database.db, id);
  await addPart(database.db, id, 0, { number, etag: "", sizeBytes: partsBytes });
  const rest = Buffer.alloc(sizeBytes - partsBytes);
  expect(await uploads.store.write(Readable.from(arrive(rest, false)), id)).toBe(sizeBytes);
  expect(combined.map(({ length }) => length / mebibyte)).toEqual([0, 16, 13]);
});
