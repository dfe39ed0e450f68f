import { encodeClip, hasEncoder, keepBytes } from "./clip-cache.ts";
import { cut, quarterTurn, renameBox, setDeclaredSize, setMatrix } from "./mp4-edits.ts";

export interface SampleVideo {
  /** Special feature of the file. */
  title: string;
  /** Encoders that some builds of ffmpeg lack. */
  encoder?: string;
  durationS: number;
  /** Displayed size, such as "320x180". */
  size: string;
  /** True if every browser plays the source unchanged. */
  isCopied: boolean;
  hasAudio: boolean;
  /** Returns the path of the file. Don't write to it. */
  make(): Promise<string>;
}

export const picture = (size: string, durationS: number, rate = 25): string[] => [
  ...["-f", "lavfi", "-i", `testsrc2=s=${size}:r=${rate}:d=${durationS}`],
];
export const tone = (durationS: number, frequencyHz = 440): string[] => [
  ...["-f", "lavfi", "-i", `sine=f=${frequencyHz}:d=${durationS}`],
];
export const h264 = [...["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"]];
export const aac = ["-c:a", "aac"];
const vp9 = ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"];

export const plain = () =>
  encodeClip("plain.mp4", [...picture("320x180", 1), ...tone(1), ...h264, ...aac]);
export const faststart = () =>
  encodeClip("faststart.mp4", [
    ...[...picture("320x180", 4), ...tone(4), ...h264, ...aac, "-movflags", "+faststart"],
  ]);

/**
 * Cuts between keyframes without encoding, like many editors. An edit list hides the frames before
 * the cut.
 */
const trimmed = async () => {
  const source = await encodeClip("untrimmed.mp4", [
    ...[...picture("320x180", 5), ...tone(5), ...h264, ...aac],
  ]);
  return encodeClip("trimmed.mp4", ["-ss", "3.3", "-i", source, "-c", "copy"]);
};

/**
 * Creates a video with English in 5.1, a German dub and an audio description. Each has its own
 * tone, so that a test can recognise it.
 */
export const severalSounds = (durationS = 2): Promise<string> =>
  encodeClip(`several-sounds-${durationS}.mkv`, [
    ...picture("160x90", durationS, 10),
    ...[300, 700, 1100].flatMap((frequencyHz) => tone(durationS, frequencyHz)),
    ...["-filter_complex", "[1:a]pan=5.1|FL=c0|FR=c0|FC=c0[surround]"],
    ...["-map", "0:v", "-map", "[surround]", "-map", "2:a", "-map", "3:a", ...h264, "-g", "10"],
    ...["-c:a", "aac", "-ac:a:1", "2", "-ac:a:2", "2"],
    ...["-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=ger"],
    ...["-metadata:s:a:2", "language=eng", "-disposition:a:0", "default"],
    ...["-disposition:a:1", "dub", "-disposition:a:2", "visual_impaired"],
  ]);

const hdrTags = [
  ...["-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc"],
];
/** Creates a video like HDR10, with 10 bits and PQ. */
export const hdrClip = (durationS: number, rate = 10): Promise<string> =>
  encodeClip(`hdr-${durationS}-${rate}.mp4`, [
    ...[...picture("160x90", durationS, rate), ...tone(durationS), ...h264, ...aac],
    ...["-pix_fmt", "yuv420p10le", ...hdrTags],
  ]);

const common = { durationS: 1, size: "320x180", isCopied: false, hasAudio: false } as const;

/** One small video for every kind of upload. */
export const sampleVideos = {
  plain: { ...common, title: "H.264 and AAC", isCopied: true, hasAudio: true, make: plain },
  rotated: {
    ...common,
    title: "rotated by its matrix",
    size: "1080x1920",
    isCopied: true,
    make: async () =>
      setMatrix(
        "rotated.mp4",
        await encodeClip("wide.mp4", [
          ...[...picture("1920x1080", 1, 5), ...h264, "-colorspace", "bt709"],
          ...["-color_primaries", "bt709", "-color_trc", "bt709"],
        ]),
        quarterTurn,
      ),
  },
  zeroMatrix: {
    ...common,
    title: "matrix of zeros",
    make: async () =>
      setMatrix("zero-matrix.mp4", await plain(), [0, 0, 0, 0, 0, 0, 0, 0, 0x40000000]),
    hasAudio: true,
  },
  oddSize: {
    ...common,
    title: "odd dimensions, VP9",
    size: "161x121",
    make: () =>
      encodeClip("odd-size.webm", [
        "-f",
        "lavfi",
        "-i",
        "testsrc=s=161x121:d=1",
        "-pix_fmt",
        "yuv420p",
        ...vp9,
      ]),
  },
  vp9: {
    ...common,
    title: "VP9 and Opus",
    hasAudio: true,
    make: () =>
      encodeClip("vp9.webm", [...picture("320x180", 1), ...tone(1), ...vp9, "-c:a", "libopus"]),
  },
  vp8: {
    ...common,
    title: "VP8 and Vorbis",
    hasAudio: true,
    make: () =>
      encodeClip("vp8.webm", [
        ...[...picture("320x180", 1), ...tone(1), "-c:v", "libvpx"],
        ...["-deadline", "realtime", "-cpu-used", "8", "-c:a", "libvorbis"],
      ]),
  },
  alpha: {
    ...common,
    title: "alpha channel",
    make: () =>
      encodeClip("alpha.webm", [
        ...["-f", "lavfi", "-i", "testsrc2=s=320x180:d=1,format=yuva420p,colorchannelmixer=aa=0.5"],
        ...["-pix_fmt", "yuva420p", "-auto-alt-ref", "0", ...vp9],
      ]),
  },
  av1: {
    ...common,
    title: "AV1",
    encoder: "libsvtav1",
    make: () =>
      encodeClip("av1.mp4", [...picture("320x180", 1), "-c:v", "libsvtav1", "-preset", "12"]),
  },
  hevc: {
    ...common,
    title: "HEVC, 10 bit, HLG",
    encoder: "libx265",
    make: () =>
      encodeClip("hevc.mp4", [
        ...[...picture("320x180", 1), "-c:v", "libx265", "-preset", "ultrafast"],
        ...["-pix_fmt", "yuv420p10le", "-x265-params", "log-level=error", "-tag:v", "hvc1"],
        ...["-color_primaries", "bt2020", "-color_trc", "arib-std-b67", "-colorspace", "bt2020nc"],
      ]),
  },
  hdr: {
    ...common,
    title: "HDR10 tags",
    make: () =>
      encodeClip("hdr.mp4", [
        ...picture("320x180", 1),
        ...h264,
        "-pix_fmt",
        "yuv420p10le",
        ...hdrTags,
      ]),
  },
  fragmented: {
    ...common,
    title: "fragmented MP4",
    isCopied: true,
    hasAudio: true,
    make: () =>
      encodeClip("fragmented.mp4", [
        ...[...picture("320x180", 1), ...tone(1), ...h264, ...aac, "-g", "5"],
        ...["-movflags", "frag_keyframe+empty_moov"],
      ]),
  },
  truncated: {
    ...common,
    title: "cut short behind its index",
    durationS: 2,
    hasAudio: true,
    make: async () => cut("truncated.mp4", await faststart(), 0.5),
  },
  wrongSize: {
    ...common,
    title: "index that declares 60000 x 60000",
    hasAudio: true,
    make: async () => setDeclaredSize("wrong-size.mp4", await plain(), 60_000, 60_000),
  },
  multiAudio: {
    ...common,
    title: "several audio tracks",
    isCopied: true,
    hasAudio: true,
    make: () =>
      encodeClip("multi-audio.mp4", [
        ...[...picture("320x180", 1), ...tone(1), ...tone(1, 880)],
        ...["-map", "0", "-map", "1", "-map", "2", ...h264, ...aac],
      ]),
  },
  surround: {
    ...common,
    title: "5.1 sound",
    isCopied: true,
    hasAudio: true,
    make: () =>
      encodeClip("surround.mov", [
        ...[...picture("320x180", 1), "-f", "lavfi", "-i", "anoisesrc=d=1:c=pink:a=0.1"],
        ...[...h264, ...aac, "-ac", "6"],
      ]),
  },
  trimmed: {
    ...common,
    title: "cut without encoding",
    durationS: 1.7,
    hasAudio: true,
    make: trimmed,
  },
  jump: {
    ...common,
    title: "timestamps that jump by 1000 s",
    durationS: 2,
    hasAudio: true,
    make: () =>
      encodeClip("jump.mkv", [
        ...[...picture("320x180", 2), ...tone(2), "-fps_mode", "vfr"],
        ...["-vf", "setpts=PTS+gte(T\\,1)*1000/TB", "-af", "asetpts=PTS+gte(T\\,1)*1000/TB"],
        ...[...h264, ...aac],
      ]),
  },
  twoPictures: {
    ...common,
    title: "the second of two video tracks as default",
    isCopied: true,
    make: () =>
      encodeClip("two-pictures.mp4", [
        ...[...picture("160x90", 1), ...picture("320x180", 1), "-map", "0", "-map", "1", ...h264],
        ...["-disposition:v:0", "0", "-disposition:v:1", "default"],
      ]),
  },
  coverFirst: {
    ...common,
    title: "a still as the first and default video track",
    isCopied: true,
    make: () =>
      encodeClip("cover-first.mp4", [
        ...[...picture("200x200", 0.04), ...picture("320x180", 1), "-map", "0", "-map", "1"],
        ...["-c:v:0", "mjpeg", "-pix_fmt:v:0", "yuvj420p", "-c:v:1", "libx264"],
        ...["-preset", "ultrafast", "-pix_fmt:v:1", "yuv420p"],
        ...["-disposition:v:0", "default", "-disposition:v:1", "0"],
      ]),
  },
  pcm: {
    ...common,
    title: "QuickTime with PCM",
    isCopied: true,
    hasAudio: true,
    make: () =>
      encodeClip("pcm.mov", [...picture("320x180", 1), ...tone(1), ...h264, "-c:a", "pcm_s16le"]),
  },
  brokenAudio: {
    ...common,
    title: "audio of an unknown codec",
    isCopied: true,
    make: async () => renameBox("broken-audio.mp4", await plain(), "stsd", "none"),
  },
  interlaced: {
    ...common,
    title: "interlaced, oblong pixels",
    size: "768x576",
    hasAudio: true,
    make: () =>
      encodeClip("interlaced.mov", [
        ...[...picture("720x576", 1), ...tone(1), "-vf", "interlace,setsar=16/15", ...h264, ...aac],
        ...["-preset", "veryfast", "-flags", "+ildct+ilme", "-x264opts", "tff=1"],
      ]),
  },
  variableRate: {
    ...common,
    title: "variable frame rate",
    durationS: 2.9,
    isCopied: true,
    make: () =>
      encodeClip("variable-rate.mp4", [
        ...[...picture("320x180", 3, 30), ...h264, "-fps_mode", "vfr"],
        ...["-vf", "select='not(between(t,1,2))*gte(random(1),0.3)'"],
      ]),
  },
  rareKeyframes: {
    ...common,
    title: "a single keyframe in 24 s",
    durationS: 24,
    make: () =>
      encodeClip("rare-keyframes.mp4", [
        ...[...picture("320x180", 24, 10), ...h264, "-g", "9999", "-sc_threshold", "0"],
      ]),
  },
  oneFrame: {
    ...common,
    title: "a single frame",
    durationS: 0.04,
    isCopied: true,
    make: () => encodeClip("one-frame.mp4", [...picture("320x180", 0.04), ...h264]),
  },
  fullChroma: {
    ...common,
    title: "4:4:4",
    make: () =>
      encodeClip("full-chroma.mp4", [...picture("320x180", 1), ...h264, "-pix_fmt", "yuv444p"]),
  },
  mpeg4: {
    ...common,
    title: "MPEG-4 part 2 and MP3 in AVI",
    encoder: "libmp3lame",
    hasAudio: true,
    make: () =>
      encodeClip("mpeg4.avi", [
        ...[...picture("320x180", 1), ...tone(1), "-c:v", "mpeg4", "-c:a", "libmp3lame"],
      ]),
  },
  mjpeg: {
    ...common,
    title: "Motion JPEG in AVI",
    hasAudio: true,
    make: () =>
      encodeClip("mjpeg.avi", [
        ...[...picture("320x180", 1), ...tone(1), "-c:v", "mjpeg", "-q:v", "8"],
        ...["-pix_fmt", "yuvj420p", "-c:a", "pcm_s16le"],
      ]),
  },
  prores: {
    ...common,
    title: "ProRes in QuickTime",
    hasAudio: true,
    make: () =>
      encodeClip("prores.mov", [
        ...[...picture("320x180", 1), ...tone(1), "-c:v", "prores_ks", "-profile:v", "1"],
        ...["-c:a", "pcm_s16le"],
      ]),
  },
  subtitled: {
    ...common,
    title: "Matroska with subtitles",
    isCopied: true,
    hasAudio: true,
    make: async () => {
      const text = await keepBytes("words.srt", "1\n00:00:00,000 --> 00:00:01,000\nWords\n");
      return encodeClip("subtitled.mkv", [
        ...[...picture("320x180", 1), ...tone(1), "-i", text, "-map", "0", "-map", "1"],
        ...["-map", "2", ...h264, ...aac, "-c:s", "srt"],
      ]);
    },
  },
} satisfies Record<string, SampleVideo>;

/** Lists the samples that this build of ffmpeg can create. */
export async function listSampleVideos(): Promise<SampleVideo[]> {
  const all: SampleVideo[] = Object.values(sampleVideos);
  const hasEach = await Promise.all(
    all.map(async ({ encoder }) => encoder === undefined || (await hasEncoder(encoder))),
  );
  return all.filter((_, index) => hasEach[index]);
}
