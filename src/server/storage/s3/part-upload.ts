import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import type { StoredPart } from "./part-size.ts";
import type { Bucket } from "./s3-client.ts";

/** Multipart upload in progress. */
export interface PartUpload {
  key: string;
  uploadId: string;
}

export async function beginParts(
  bucket: Bucket,
  key: string,
  about: { ContentType: string; CacheControl: string },
): Promise<string> {
  const { UploadId } = await bucket.run((client) =>
    client.send(
      new CreateMultipartUploadCommand({
        ...about,
        Bucket: bucket.name,
        Key: bucket.prefix + key,
      }),
    ),
  );
  if (UploadId === undefined) throw new Error("Object storage didn't return an upload ID.");
  return UploadId;
}

export async function storePart(
  bucket: Bucket,
  upload: PartUpload,
  number: number,
  bytes: Uint8Array,
): Promise<StoredPart> {
  const { ETag: etag = "" } = await bucket.run((client) =>
    client.send(
      new UploadPartCommand({
        Bucket: bucket.name,
        Key: bucket.prefix + upload.key,
        UploadId: upload.uploadId,
        PartNumber: number,
        Body: bytes,
        ContentLength: bytes.byteLength,
      }),
    ),
  );
  return { number, etag, sizeBytes: bytes.byteLength };
}

/**
 * Completes the parts into one object. The storage refuses if a part differs from the one stored.
 */
export async function completeParts(
  bucket: Bucket,
  upload: PartUpload,
  parts: readonly Pick<StoredPart, "number" | "etag">[],
): Promise<void> {
  await bucket.run((client) =>
    client.send(
      new CompleteMultipartUploadCommand({
        Bucket: bucket.name,
        Key: bucket.prefix + upload.key,
        UploadId: upload.uploadId,
        MultipartUpload: {
          Parts: parts
            .toSorted((a, b) => a.number - b.number)
            .map(({ number, etag }) => ({ PartNumber: number, ETag: etag })),
        },
      }),
    ),
  );
}

/** Aborts an upload. Never throws, because the sweep aborts it later if this fails. */
export async function abortParts(bucket: Bucket, upload: PartUpload): Promise<void> {
  await bucket.client
    .send(
      new AbortMultipartUploadCommand({
        Bucket: bucket.name,
        Key: bucket.prefix + upload.key,
        UploadId: upload.uploadId,
      }),
    )
    .catch(() => undefined);
}
