/**
 * Name of a thumbnail's main file if it belongs to a set: a WebP file named by its width
 * (`w640.webp`), with a smaller one and both in AVIF in the same folder. Other thumbnails are a
 * single file, so lists only need the address of the main file.
 */
const mainFile = /^(.*\/w)(\d+)\.webp$/;

/**
 * Width in pixels of the smaller files of a set: five eighths, about the width of a card on a
 * laptop with one pixel for each CSS pixel. Even, like video frames.
 */
export const smallWidthOf = (width: number): number => Math.round((width * 5) / 16) * 2;

/**
 * Returns the `srcset` of each type for a thumbnail's address, or null if the thumbnail has no set.
 */
export function findThumbnailSet(address: string): { avif: string; webp: string } | null {
  const [, base, large] = mainFile.exec(address) ?? [];
  if (large === undefined) return null;
  const small = smallWidthOf(Number(large));
  const list = (type: string) =>
    `${base}${small}.${type} ${small}w, ${base}${large}.${type} ${large}w`;
  return { avif: list("avif"), webp: list("webp") };
}

/**
 * Returns all files of a thumbnail, given the key of its main file. The list includes the main
 * file.
 */
export function thumbnailFileNames(key: string): string[] {
  const [, base, large] = mainFile.exec(key) ?? [];
  if (large === undefined) return [key];
  const widths = [large, smallWidthOf(Number(large))];
  return widths.flatMap((width) => ["webp", "avif"].map((type) => `${base}${width}.${type}`));
}
