import { expect, test } from "vitest";
import { useTestDatabase } from "#test/database.ts";
import { createLogger } from "#server/lib/logger.ts";
import { newId } from "#server/lib/ids.ts";
import { sourceKey } from "#server/storage/media-keys.ts";
import type { S3Storage } from "#server/storage/s3/s3.storage.ts";
import { createStoredFiles } from "#server/features/videos/files/stored-files.service.ts";
import { createBucketUploads } from "./bucket-uploads.ts";
import { insertUpload } from "./bucket-uploads.repository.ts";

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
