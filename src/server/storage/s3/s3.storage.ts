import { GetObjectCommand, HeadBucketCommand } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import type { S3Config } from "#server/config.ts";
import type { ScratchArea } from "../scratch-area.ts";
import { assertStorageKey, type PlaceStorage } from "../storage.ts";
import { abortOldUploads } from "./list-bucket.ts";
import type { StoredPart } from "./part-size.ts";
import {
  abortParts,
  beginParts,
  completeParts,
  storePart,
  type PartUpload,
} from "./part-upload.ts";
import { openBucket } from "./s3-client.ts";
import { createS3Reads } from "./s3-reads.ts";
import { createS3Writes, objectMetadata } from "./s3-writes.ts";

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
export function createS3Storage(options: { config: S3Config; scratch: ScratchArea }): S3Storage {
  const bucket = openBucket(options.config);
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

    async sweepScratch() {
      await abortOldUploads(bucket, new Date(Date.now() - oldUploadMs));
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
