import type { QualityOption } from "../state/player-state.ts";

/**
 * The renditions of a multivariant playlist (RFC 8216, 4.3.4.2), lowest first, one per height:
 * enough for the menu before hls.js is loaded. `id` is the height.
 */
export function parseQualities(masterPlaylist: string): QualityOption[] {
  const byHeight = new Map<number, QualityOption>();
  for (const line of masterPlaylist.split(/\r?\n/)) {
    if (!line.startsWith("#EXT-X-STREAM-INF:")) continue;
    const height = Number(/RESOLUTION=\d+x(\d+)/.exec(line)?.[1] ?? 0);
    const bitrate = Number(/[:,]BANDWIDTH=(\d+)/.exec(line)?.[1] ?? 0);
    if (height === 0) continue;
    const known = byHeight.get(height);
    if (known === undefined || known.bitrate < bitrate) {
      byHeight.set(height, { id: height, height, bitrate });
    }
  }
  return [...byHeight.values()].sort((a, b) => a.height - b.height);
}
