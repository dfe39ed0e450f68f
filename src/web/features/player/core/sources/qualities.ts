import type { QualityOption } from "../player-state.ts";

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
    const other = byLines.get(lines);
    if (other === undefined || other.bitrate < bitrate) {
      byLines.set(lines, { id: lines, lines, bitrate });
    }
  }
  return [...byLines.values()].sort((a, b) => a.lines - b.lines);
}

/**
 * Returns the rendition to start with: the middle one of those up to 1080 lines. Larger ones are
 * only used once the bandwidth has been measured. `levels` are sorted from low to high.
 */
export function chooseStartLevel(levels: readonly { width: number; height: number }[]): number {
  const usual = levels.filter((level) => linesOf(level) <= 1080);
  return Math.max(0, Math.floor((usual.length - 1) / 2));
}

interface Level {
  videoCodec: string | undefined;
  /** "SDR", "PQ" or "HLG". */
  videoRange: string;
  width: number;
  height: number;
  bitrate: number;
  frameRate: number;
}

export const isAv1 = ({ videoCodec }: { videoCodec?: string | undefined }): boolean =>
  videoCodec?.startsWith("av01") === true;

const isHdr = ({ videoRange }: Level): boolean => videoRange !== "SDR";

/**
 * Returns the renditions of the best kind for this device: HDR in AV1 if the screen supports it, or
 * else AV1, or else H.264. Skips kinds whose largest height is below the visitor's choice.
 */
export async function chooseLevels<T extends Level>(
  levels: readonly T[],
  { avoidsAv1, lines }: { avoidsAv1: boolean; lines: number | null },
): Promise<T[]> {
  const av1 = avoidsAv1 ? [] : levels.filter(isAv1);
  const showsHdr = matchMedia("(dynamic-range: high)").matches;
  const kinds = [showsHdr ? av1.filter(isHdr) : [], av1.filter((level) => !isHdr(level))];
  for (const kind of kinds) {
    const best = kind.at(-1);
    if (best !== undefined && linesOf(best) >= (lines ?? 0) && (await decodesWell(best))) {
      return kind;
    }
  }
  return levels.filter((level) => !isAv1(level));
}

/**
 * Returns whether this device plays an AV1 rendition without dropping frames. On battery, it must
 * also use a hardware decoder. Never throws.
 */
async function decodesWell(level: Level): Promise<boolean> {
  try {
    const { supported, smooth, powerEfficient } = await navigator.mediaCapabilities.decodingInfo({
      type: "media-source",
      video: {
        contentType: `video/mp4; codecs="${level.videoCodec}"`,
        width: level.width,
        height: level.height,
        bitrate: level.bitrate,
        framerate: level.frameRate > 0 ? level.frameRate : 30,
        ...(isHdr(level) ? { transferFunction: level.videoRange === "PQ" ? "pq" : "hlg" } : {}),
      },
    });
    const isMobile = matchMedia("(pointer: coarse)").matches;
    return supported && smooth && (powerEfficient || !isMobile);
  } catch {
    return false;
  }
}
