import type { ClipPoint, ClipWindow } from "./clips.ts";

/** Shape of a clip for the For You feed. */
export const clipShape = { width: 9, height: 16 } as const;
/** Largest size of an upright clip. Smaller sources aren't enlarged. */
export const clipSize = { width: 1080, height: 1920 } as const;

/**
 * Returns the position of a crop's window at a time of the clip. The server writes the same curve
 * into the filter, so that the preview shows what is made.
 */
export function windowAt({ from, move }: ClipWindow, timeS: number): ClipPoint {
  if (move === null) return from;
  const linear = Math.min(1, Math.max(0, (timeS - move.startS) / (move.endS - move.startS)));
  const share = linear * linear * (3 - 2 * linear);
  return {
    x: from.x + (move.to.x - from.x) * share,
    y: from.y + (move.to.y - from.y) * share,
  };
}

const even = (size: number): number => Math.max(2, Math.round(size / 2) * 2);

/** Returns the size of the window of a crop in a picture of this size, in even pixels. */
export function windowSize(
  { zoom }: Pick<ClipWindow, "zoom">,
  { width, height }: { width: number; height: number },
): { width: number; height: number } {
  const shape = clipShape.width / clipShape.height;
  const full =
    width / height > shape ? { width: height * shape, height } : { width, height: width / shape };
  return {
    width: Math.min(Math.floor(width / 2) * 2, even(full.width * zoom)),
    height: Math.min(Math.floor(height / 2) * 2, even(full.height * zoom)),
  };
}
