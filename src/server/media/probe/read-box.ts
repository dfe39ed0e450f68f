import { readAt, type ByteSource } from "./read-at.ts";

/** Box of an MP4 file (ISO 14496-12, 4.2). */
export interface Box {
  type: string;
  /** Declared length with the header. */
  length: number;
  /** Position of the content. */
  contentAt: number;
}

/**
 * Reads the header of the box at a position.
 * @param end end of the surrounding box or file, which is also the end of a box of unknown length.
 * @returns null if the file ends within the header.
 */
export async function readBox(source: ByteSource, at: number, end: number): Promise<Box | null> {
  const head = await readAt(source, at, 16);
  if (head.length < 8) return null;
  const declared = head.readUInt32BE(0);
  const isLong = declared === 1 && head.length === 16;
  return {
    type: head.toString("latin1", 4, 8),
    length: isLong ? Number(head.readBigUInt64BE(8)) : declared === 0 ? end - at : declared,
    contentAt: at + (isLong ? 16 : 8),
  };
}
