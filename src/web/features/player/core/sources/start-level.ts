import { linesOf } from "./master-playlist.ts";

/**
 * Returns the rendition that a player starts with, of all from low to high: the middle of those up to
 * 1080 lines. Larger ones are only used after the bandwidth was measured.
 */
export function chooseStartLevel(levels: readonly { width: number; height: number }[]): number {
  const usual = levels.filter((level) => linesOf(level) <= 1080);
  return Math.max(0, Math.floor((usual.length - 1) / 2));
}
