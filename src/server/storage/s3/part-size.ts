/** Stored part. */
export interface StoredPart {
  number: number;
  etag: string;
  sizeBytes: number;
}

/** S3 accepts at most 10,000 parts. */
const maxParts = 10_000;
const usualPartBytes = 16 * 1024 * 1024;

/**
 * Returns the size of all parts but the last for a file of this size. Cloudflare R2 refuses parts of
 * different sizes.
 */
export const partBytesFor = (sizeBytes: number): number =>
  Math.max(usualPartBytes, Math.ceil(sizeBytes / maxParts));
