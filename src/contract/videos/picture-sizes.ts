interface Size {
  width: number;
  height: number;
}

/** Size of a video; null if unknown. */
interface VideoSize {
  width: number | null;
  height: number | null;
}

/** Twice the width in pixels of most phones. A poster must not delay its video. */
export const posterBox = { width: 960, height: 960 };
export const posterName = "poster.jpg";
export const thumbnailBox = { width: 640, height: 640 };

/** Prefix of the folder of an uploaded thumbnail. */
export const ownThumbnailPrefix = "thumbnail-";

/** Rounds to the nearest even number that doesn't enlarge an odd source. */
export function roundToEven(value: number, source: number, least: number): number {
  return Math.max(least, Math.min(Math.round(value / 2) * 2, Math.floor(source / 2) * 2));
}

/** Returns even sizes that fit into a box. Never enlarges. */
export function fitBox(width: number, height: number, box: Size): Size {
  const ratio = Math.min(1, box.width / width, box.height / height);
  return {
    width: roundToEven(width * ratio, width, 2),
    height: roundToEven(height * ratio, height, 2),
  };
}

/** Returns the size of a picture made from a video; null for an uploaded or unknown picture. */
export function pictureSize(
  address: string | null,
  { width, height }: VideoSize,
  box: Size,
): Size | null {
  if (address === null || address.includes(`/${ownThumbnailPrefix}`)) return null;
  return width === null || height === null ? null : fitBox(width, height, box);
}
