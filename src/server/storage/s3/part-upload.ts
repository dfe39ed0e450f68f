import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { isNotFound } from "#server/lib/app-error.ts";
import type { StoredPart } from "./part-size.ts";
import type { Bucket } from "./s3-client.ts";
import { translateS3Error } from "./s3-errors.ts";

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
 * Combines the parts into one object. The storage refuses if a part differs from the stored one.
 * @throws AppError not_found if the upload was aborted.
 */
export async function completeParts(
  bucket: Bucket,
  upload: PartUpload,
  parts: readonly StoredPart[],
): Promise<void> {
  const object = { Bucket: bucket.name, Key: bucket.prefix + upload.key };
  const complete = new CompleteMultipartUploadCommand({
    ...object,
    UploadId: upload.uploadId,
    MultipartUpload: {
      Parts: parts
        .toSorted((a, b) => a.number - b.number)
        .map(({ number, etag }) => ({ PartNumber: number, ETag: etag })),
    },
  });
  try {
    await bucket.run((client) => client.send(complete));
  } catch (error) {
    // An earlier attempt may have succeeded without a response.
    const head = await bucket
      .run((client) => client.send(new HeadObjectCommand(object)))
      .catch((failure: unknown) => {
        throw isNotFound(failure) ? error : failure;
      });
    const sizeBytes = parts.reduce((sum, part) => sum + part.sizeBytes, 0);
    if (head.ContentLength !== sizeBytes) throw error;
  }
}

/**
 * Creates an object from the parts that `store` returns.
 * @throws AppError unavailable, rather than not_found, if the storage loses the upload.
 */
export async function putParts(
  bucket: Bucket,
  key: string,
  about: { ContentType: string; CacheControl: string },
  store: (upload: PartUpload) => Promise<StoredPart[]>,
): Promise<void> {
  const upload = { key, uploadId: await beginParts(bucket, key, about) };
  try {
    const parts = await store(upload);
    await completeParts(bucket, upload, parts).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
      throw translateS3Error(new Error("Object storage lost the upload.", { cause: error }));
    });
  } catch (error) {
    await abortParts(bucket, upload);
    throw error;
  }
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
