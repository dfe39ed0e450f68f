/** One tile of the storyboard: a stretch of time, and where its image is in which sprite sheet. */
export interface StoryboardTile {
  startS: number;
  endS: number;
  url: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Returns the tile of this time. The last tile also stands for the time after it. */
export function tileAt(tiles: readonly StoryboardTile[], timeS: number): StoryboardTile | null {
  let low = 0;
  let high = tiles.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tiles[middle]?.startS ?? Infinity) <= timeS) low = middle + 1;
    else high = middle;
  }
  return tiles[Math.max(0, low - 1)] ?? null;
}
