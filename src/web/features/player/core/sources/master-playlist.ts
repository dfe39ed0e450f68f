import type { QualityOption } from "../state/player-state.ts";

/**
 * Returns the number of lines by which a rendition is named, such as 1080. It is the shorter side,
 * even for portrait videos.
 */
export const linesOf = ({ width, height }: { width: number; height: number }): number =>
  Math.min(width, height);

/**
 * Returns the renditions of a multivariant playlist (RFC 8216, 4.3.4.2), lowest first and one per
 * number of lines, which is their `id`. The menu needs no more before hls.js is loaded.
 */
export function parseQualities(masterPlaylist: string): QualityOption[] {
  const byLines = new Map<number, QualityOption>();
  for (const line of masterPlaylist.split(/\r?\n/)) {
    if (!line.startsWith("#EXT-X-STREAM-INF:")) continue;
    const [, width, height] = /RESOLUTION=(\d+)x(\d+)/.exec(line) ?? [];
    const lines = linesOf({ width: Number(width ?? 0), height: Number(height ?? 0) });
    const bitrate = Number(/[:,]BANDWIDTH=(\d+)/.exec(line)?.[1] ?? 0);
    if (lines === 0) continue;
    const known = byLines.get(lines);
    if (known === undefined || known.bitrate < bitrate) {
      byLines.set(lines, { id: lines, lines, bitrate });
    }
  }
  return [...byLines.values()].sort((a, b) => a.lines - b.lines);
}
