import { ListMultipartUploadsCommand, ListObjectsV2Command } from "@aws-sdk/client-s3";
import { OperatorError } from "#server/lib/app-error.ts";
import { contentTypeOf, isStorageKey, type ObjectStat } from "../storage.ts";
import { abortParts } from "./part-upload.ts";
import type { Bucket } from "./s3-client.ts";
import { isMissingKey, translateS3Error } from "./s3-errors.ts";

/**
 * Yields all objects below a folder, in pages of 1,000.
 * @throws OperatorError in one line if the endpoint contains the bucket.
 */
export async function* listObjects(bucket: Bucket, prefix: string): AsyncGenerator<ObjectStat> {
  let token: string | undefined;
  do {
    const command = new ListObjectsV2Command({
      Bucket: bucket.name,
      Prefix: bucket.prefix + prefix,
      ContinuationToken: token,
    });
    const page = await bucket
      .run((client) => client.send(command))
      .catch((error: unknown) => {
        // A list needs no object: the storage took the name of the bucket for a key.
        throw isMissingKey(error) ? containsBucket(bucket, error) : error;
      });
    for (const { Key = "", Size: sizeBytes = 0, LastModified } of page.Contents ?? []) {
      // Callers delete what is listed, so storage that ignores the prefix must not cause harm.
      if (!Key.startsWith(bucket.prefix + prefix)) continue;
      const key = Key.slice(bucket.prefix.length);
      if (!isStorageKey(key)) continue;
      // The sweep deletes old files, so one of unknown age counts as new.
      const modifiedAt = LastModified ?? new Date();
      yield { key, sizeBytes, modifiedAt, contentType: contentTypeOf(key) };
    }
    token = page.IsTruncated === true ? page.NextContinuationToken : undefined;
    if (page.IsTruncated === true && token === undefined) {
      throw translateS3Error(new Error("Object storage returned an incomplete list."));
    }
  } while (token !== undefined);
}

const containsBucket = ({ name, prefix }: Bucket, cause: unknown) =>
  new OperatorError(
    `S3_ENDPOINT: this address already contains the bucket "${name}". Use the address without the bucket. If this site already has media there, also set S3_PREFIX to "${name}/${prefix}".`,
    { cause },
  );

/**
 * Aborts multipart uploads started before a time, because their parts take up space but don't
 * appear in any list.
 */
export async function abortOldUploads(bucket: Bucket, before: Date): Promise<number> {
  let count = 0;
  let marker: { KeyMarker?: string; UploadIdMarker?: string } = {};
  for (;;) {
    const page = await bucket.run((client) =>
      client.send(
        new ListMultipartUploadsCommand({
          ...marker,
          Bucket: bucket.name,
          Prefix: bucket.prefix,
        }),
      ),
    );
    for (const { Key = "", UploadId: uploadId = "", Initiated } of page.Uploads ?? []) {
      if (Initiated === undefined || Initiated >= before) continue;
      if (!Key.startsWith(bucket.prefix)) continue;
      await abortParts(bucket, { key: Key.slice(bucket.prefix.length), uploadId });
      count += 1;
    }
    const { NextKeyMarker, NextUploadIdMarker } = page;
    if (page.IsTruncated !== true || NextKeyMarker === undefined) return count;
    marker = {
      KeyMarker: NextKeyMarker,
      ...(NextUploadIdMarker === undefined ? {} : { UploadIdMarker: NextUploadIdMarker }),
    };
  }
}
