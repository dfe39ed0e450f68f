import { linesOf } from "./master-playlist.ts";

interface Level {
  videoCodec: string | undefined;
  /** "SDR", "PQ" or "HLG". */
  videoRange: string;
  width: number;
  height: number;
  bitrate: number;
  frameRate: number;
}

export const isAv1 = ({ videoCodec }: Pick<Level, "videoCodec">): boolean =>
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
