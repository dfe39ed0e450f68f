import type { FileHandle } from "node:fs/promises";
import { readAt } from "./read-at.ts";

/** Times of an MP4 track (ISO 14496-12, 8.4.2 and 8.6.6). */
export interface EditedTrack {
  /** Track's units per second. */
  timeScale: number;
  edits: { duration: number; mediaTime: number }[];
}

const maxEdits = 100;

/** Reads the time scale from the content of a `mvhd` or `mdhd` box. */
export async function readTimeScale(handle: FileHandle, at: number): Promise<number> {
  const head = await readAt(handle, at, 24);
  const from = head[0] === 1 ? 20 : 12;
  return head.length >= from + 4 ? head.readUInt32BE(from) : 0;
}

/** Reads the entries of an `elst` box. */
export async function readEdits(
  handle: FileHandle,
  at: number,
  end: number,
): Promise<EditedTrack["edits"]> {
  const box = await readAt(handle, at, Math.min(end - at, 8 + maxEdits * 20));
  if (box.length < 8) return [];
  const isLong = box[0] === 1;
  const size = isLong ? 20 : 12;
  const count = Math.min(box.readUInt32BE(4), Math.floor((box.length - 8) / size));
  return Array.from({ length: count }, (_, i) => {
    const from = 8 + i * size;
    return isLong
      ? {
          duration: Number(box.readBigUInt64BE(from)),
          mediaTime: Number(box.readBigInt64BE(from + 8)),
        }
      : { duration: box.readUInt32BE(from), mediaTime: box.readInt32BE(from + 4) };
  });
}

/**
 * Returns the seconds that the first part of an edit list adds to times in a track. Empty edits
 * delay the track, and everything before the first visible moment is cut off. Further parts are
 * ignored.
 */
export function shiftOf({ timeScale, edits }: EditedTrack, movieScale: number): number {
  const first = edits.findIndex(({ mediaTime }) => mediaTime >= 0);
  const shown = edits[first];
  if (shown === undefined || timeScale === 0 || movieScale === 0) return 0;
  const delay = edits.slice(0, first).reduce((sum, { duration }) => sum + duration, 0);
  return delay / movieScale - shown.mediaTime / timeScale;
}
