/** Returns up to `max` ascending page numbers around the current one, between 1 and `pageCount`. */
export function pageNumbers(page: number, pageCount: number, max: number): number[] {
  const size = Math.min(max, pageCount);
  const start = Math.min(Math.max(1, page - Math.floor(size / 2)), pageCount - size + 1);
  return Array.from({ length: size }, (_, index) => start + index);
}
