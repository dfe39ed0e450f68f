interface Level {
  videoCodec: string | undefined;
  width: number;
  height: number;
  bitrate: number;
  frameRate: number;
}

export const isAv1 = ({ videoCodec }: Pick<Level, "videoCodec">): boolean =>
  videoCodec?.startsWith("av01") === true;

/**
 * Whether this device plays the best AV1 rendition without dropping frames, and, where it runs on a
 * battery, with a chip for it. Never throws.
 */
export async function decodesWell(level: Level): Promise<boolean> {
  try {
    const { supported, smooth, powerEfficient } = await navigator.mediaCapabilities.decodingInfo({
      type: "media-source",
      video: {
        contentType: `video/mp4; codecs="${level.videoCodec}"`,
        width: level.width,
        height: level.height,
        bitrate: level.bitrate,
        framerate: level.frameRate > 0 ? level.frameRate : 30,
      },
    });
    const isMobile = matchMedia("(pointer: coarse)").matches;
    return supported && smooth && (powerEfficient || !isMobile);
  } catch {
    return false;
  }
}
