import type { MediaFacts, VideoFacts } from "./media-facts.ts";
import type { PacketScan } from "./packet-scan.ts";

/** Returns the facts of a 1080p25 H.264 file with stereo AAC, as phones and editors write it. */
export function exampleFacts(
  change: { video?: Partial<VideoFacts> } & Partial<Omit<MediaFacts, "video">> = {},
): MediaFacts {
  const { video, ...rest } = change;
  return {
    container: "mov",
    sizeBytes: 10_000_000,
    durationS: 60,
    isTruncated: false,
    startS: 0,
    audio: {
      index: 1,
      codec: "aac",
      profile: "LC",
      channels: 2,
      isMixable: true,
      sampleRate: 48_000,
      hasSeveralConfigs: false,
      startS: 0,
      endS: 60,
      timeline: null,
      language: null,
      title: null,
      kind: "main",
    },
    otherAudio: [],
    texts: [],
    chapters: [],
    jumps: [],
    notices: [],
    alsoOpen: [],
    ...rest,
    video: {
      index: 0,
      codec: "h264",
      profile: "High",
      level: 40,
      codedWidth: 1920,
      codedHeight: 1080,
      width: 1920,
      height: 1080,
      sar: { num: 1, den: 1 },
      isMirrored: false,
      rotationDeg: 0,
      displayMatrix: "plain",
      fps: { num: 25, den: 1 },
      pixelFormat: "yuv420p",
      bitDepth: 8,
      isFullRange: false,
      colorMatrix: "bt709",
      colorPrimaries: "bt709",
      colorTransfer: "bt709",
      hasReservedColors: false,
      isHdr: false,
      isInterlaced: false,
      hasSeveralConfigs: false,
      isCleanStart: true,
      endS: 60,
      timeline: null,
      ...video,
    },
  };
}

export const exampleScan: PacketScan = {
  packetCount: 1500,
  endS: 60,
  averageFps: 25,
  medianFps: 25,
  steadyFps: 25,
  isVariable: false,
  maxFrameGapS: 0.04,
  maxKeyframeGapS: 2,
  hiddenFrames: 0,
  soundDriftS: 0,
};

/** Abilities of a complete ffmpeg. */
export const exampleAbilities = {
  hasDeinterlacer: true,
  hasDownmix: true,
  refusesReservedColors: true,
  tablesFolder: "/tables",
};

/** Returns the value after an option in an argument list. */
export function valueAfter(args: string[], option: string): string | undefined {
  const at = args.indexOf(option);
  return at < 0 ? undefined : args[at + 1];
}
