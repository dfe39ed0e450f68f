import { CopyObjectCommand, UploadPartCopyCommand } from "@aws-sdk/client-s3";
import type { StoredPart } from "./part-size.ts";
import { putParts } from "./part-upload.ts";
import type { Bucket } from "./s3-client.ts";
import type { About } from "./send-file.ts";

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
