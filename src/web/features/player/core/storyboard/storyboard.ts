/** Tile of the storyboard, with its time range and the position of its image in a sprite sheet. */
export interface StoryboardTile {
  startS: number;
  endS: number;
  url: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Returns the tile for this time. The last tile also covers the time after it. */
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
