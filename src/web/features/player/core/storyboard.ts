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

function secondsOf(stamp: string): number {
  return stamp.split(":").reduce((total, part) => total * 60 + Number(part), 0);
}

const cue = /^([\d:.]+)\s+-->\s+([\d:.]+)/;
const fragment = /#xywh=(?:pixel:)?(\d+),(\d+),(\d+),(\d+)$/;

/** Reads WebVTT whose cues are `sheet.webp#xywh=x,y,w,h`. Other cues are ignored. */
export function parseStoryboard(text: string, baseUrl: string): StoryboardTile[] {
  const tiles: StoryboardTile[] = [];
  const lines = text.split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    const [, start, end] = cue.exec(line) ?? [];
    if (start === undefined || end === undefined) continue;
    const target = lines[index + 1]?.trim() ?? "";
    const [, x, y, width, height] = fragment.exec(target) ?? [];
    const url = URL.parse(target.replace(fragment, ""), baseUrl);
    if (url === null || height === undefined || !/^https?:$/.test(url.protocol)) continue;
    tiles.push({
      startS: secondsOf(start),
      endS: secondsOf(end),
      url: url.href,
      x: Number(x),
      y: Number(y),
      width: Number(width),
      height: Number(height),
    });
  }
  return tiles.sort((a, b) => a.startS - b.startS);
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
