/** A part that is stored. */
export interface StoredPart {
  number: number;
  etag: string;
  sizeBytes: number;
}

/** S3 takes no smaller part but the last one, and at most 10,000 of them. */
export const minPartBytes = 5 * 1024 * 1024;
const maxParts = 10_000;
const usualPartBytes = 16 * 1024 * 1024;

/** The size of the parts of a file that is at most so large. */
export const partBytesFor = (maxBytes: number): number =>
  Math.max(usualPartBytes, Math.ceil(maxBytes / maxParts));
