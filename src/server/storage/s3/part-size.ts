/** Stored part. */
export interface StoredPart {
  number: number;
  etag: string;
  sizeBytes: number;
}

/** S3 accepts a smaller part only as the last one. It accepts at most 10,000 parts. */
export const minPartBytes = 5 * 1024 * 1024;
const maxParts = 10_000;
const usualPartBytes = 16 * 1024 * 1024;

/** Returns the part size for a file of this size. */
export const partBytesFor = (sizeBytes: number): number =>
  Math.max(usualPartBytes, Math.ceil(sizeBytes / maxParts));
