import { linesOf } from "./master-playlist.ts";

/**
 * Returns the rendition to start with: the middle one of those up to 1080 lines. Larger ones are
 * only used once the bandwidth has been measured. `levels` are sorted from low to high.
 */
export function chooseStartLevel(levels: readonly { width: number; height: number }[]): number {
  const usual = levels.filter((level) => linesOf(level) <= 1080);
  return Math.max(0, Math.floor((usual.length - 1) / 2));
}
