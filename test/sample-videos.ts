import { openAsBlob } from "node:fs";
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

/** Returns the form that uploads a file. */
export async function videoForm(
  path: string,
  fields: Record<string, string> = {},
): Promise<FormData> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("video", await openAsBlob(path), "clip.mp4");
  return form;
}

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

/** Names BT.2020 and a transfer function in the stream: ffmpeg 7 ignores `-color_trc` here. */
const bt2020 = (codec: "h264" | "hevc", transfer: number) => [
  "-bsf:v",
  `${codec}_metadata=colour_primaries=9:transfer_characteristics=${transfer}:matrix_coefficients=9`,
];
const hdrTags = bt2020("h264", 16);
/** Creates a video like HDR10, with 10 bits and PQ. */
export const hdrClip = (durationS: number, rate = 10): Promise<string> =>
  encodeClip(`hdr-${durationS}-${rate}.mp4`, [
    ...[...picture("160x90", durationS, rate), ...tone(durationS), ...h264, ...aac],
    ...["-pix_fmt", "yuv420p10le", ...hdrTags],
  ]);

type Facts = Partial<Omit<SampleVideo, "title" | "make">>;
const common = { durationS: 1, size: "320x180", isCopied: false, hasAudio: false } as const;
const sample = (title: string, make: SampleVideo["make"], facts: Facts = {}): SampleVideo => ({
  ...common,
  ...facts,
  title,
  make,
});
/** Sample that ffmpeg encodes with these arguments. */
const encoded = (title: string, file: string, args: string[], facts?: Facts): SampleVideo =>
  sample(title, () => encodeClip(file, args), facts);

const image = picture("320x180", 1);
const withTone = [...image, ...tone(1)];
const audible: Facts = { hasAudio: true };
const copied: Facts = { isCopied: true };
const copiedWithAudio: Facts = { ...copied, ...audible };

/** One small video for every kind of upload. */
export const sampleVideos = {
  plain: sample("H.264 and AAC", plain, copiedWithAudio),
  rotated: sample(
    "rotated by its matrix",
    async () =>
      setMatrix(
        "rotated.mp4",
        await encodeClip("wide.mp4", [
          ...[...picture("1920x1080", 1, 5), ...h264, "-colorspace", "bt709"],
          ...["-color_primaries", "bt709", "-color_trc", "bt709"],
        ]),
        quarterTurn,
      ),
    { ...copied, size: "1080x1920" },
  ),
  zeroMatrix: sample(
    "matrix of zeros",
    async () => setMatrix("zero-matrix.mp4", await plain(), [...Array(8).fill(0), 0x40000000]),
    audible,
  ),
  oddSize: encoded(
    "odd dimensions, VP9",
    "odd-size.webm",
    ["-f", "lavfi", "-i", "testsrc=s=161x121:d=1", "-pix_fmt", "yuv420p", ...vp9],
    { size: "161x121" },
  ),
  vp9: encoded("VP9 and Opus", "vp9.webm", [...withTone, ...vp9, "-c:a", "libopus"], audible),
  vp8: encoded(
    "VP8 and Vorbis",
    "vp8.webm",
    [
      ...[...withTone, "-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8"],
      ...["-c:a", "libvorbis"],
    ],
    audible,
  ),
  alpha: encoded("alpha channel", "alpha.webm", [
    ...["-f", "lavfi", "-i", "testsrc2=s=320x180:d=1,format=yuva420p,colorchannelmixer=aa=0.5"],
    ...["-pix_fmt", "yuva420p", "-auto-alt-ref", "0", ...vp9],
  ]),
  av1: encoded("AV1", "av1.mp4", [...image, "-c:v", "libsvtav1", "-preset", "12"], {
    encoder: "libsvtav1",
  }),
  hevc: encoded(
    "HEVC, 10 bit, HLG",
    "hevc.mp4",
    [
      ...[...image, "-c:v", "libx265", "-preset", "ultrafast", "-tag:v", "hvc1"],
      ...["-pix_fmt", "yuv420p10le", "-x265-params", "log-level=error"],
      ...bt2020("hevc", 18),
    ],
    { encoder: "libx265" },
  ),
  hdr: encoded("HDR10 tags", "hdr.mp4", [
    ...[...image, ...h264, "-pix_fmt", "yuv420p10le", ...hdrTags],
  ]),
  fragmented: encoded(
    "fragmented MP4",
    "fragmented.mp4",
    [...withTone, ...h264, ...aac, "-g", "5", "-movflags", "frag_keyframe+empty_moov"],
    copiedWithAudio,
  ),
  truncated: sample(
    "cut short behind its index",
    async () => cut("truncated.mp4", await faststart(), 0.5),
    { ...audible, durationS: 2 },
  ),
  wrongSize: sample(
    "index that declares 60000 x 60000",
    async () => setDeclaredSize("wrong-size.mp4", await plain(), 60_000, 60_000),
    audible,
  ),
  multiAudio: encoded(
    "several audio tracks",
    "multi-audio.mp4",
    [...withTone, ...tone(1, 880), "-map", "0", "-map", "1", "-map", "2", ...h264, ...aac],
    copiedWithAudio,
  ),
  surround: encoded(
    "5.1 sound",
    "surround.mov",
    [...image, "-f", "lavfi", "-i", "anoisesrc=d=1:c=pink:a=0.1", ...h264, ...aac, "-ac", "6"],
    copiedWithAudio,
  ),
  trimmed: sample("cut without encoding", trimmed, { ...audible, durationS: 1.7 }),
  jump: encoded(
    "timestamps that jump by 1000 s",
    "jump.mkv",
    [
      ...[...picture("320x180", 2), ...tone(2), "-fps_mode", "vfr", ...h264, ...aac],
      ...["-vf", "setpts=PTS+gte(T\\,1)*1000/TB", "-af", "asetpts=PTS+gte(T\\,1)*1000/TB"],
    ],
    { ...audible, durationS: 2 },
  ),
  twoPictures: encoded(
    "the second of two video tracks as default",
    "two-pictures.mp4",
    [
      ...[...picture("160x90", 1), ...image, "-map", "0", "-map", "1", ...h264],
      ...["-disposition:v:0", "0", "-disposition:v:1", "default"],
    ],
    copied,
  ),
  coverFirst: encoded(
    "a still as the first and default video track",
    "cover-first.mp4",
    [
      ...[...picture("200x200", 0.04), ...image, "-map", "0", "-map", "1"],
      ...["-c:v:0", "mjpeg", "-pix_fmt:v:0", "yuvj420p", "-c:v:1", "libx264"],
      ...["-preset", "ultrafast", "-pix_fmt:v:1", "yuv420p"],
      ...["-disposition:v:0", "default", "-disposition:v:1", "0"],
    ],
    copied,
  ),
  pcm: encoded(
    "QuickTime with PCM",
    "pcm.mov",
    [...withTone, ...h264, "-c:a", "pcm_s16le"],
    copiedWithAudio,
  ),
  brokenAudio: sample(
    "audio of an unknown codec",
    async () => renameBox("broken-audio.mp4", await plain(), "stsd", "none"),
    copied,
  ),
  interlaced: encoded(
    "interlaced, oblong pixels",
    "interlaced.mov",
    [
      ...[...picture("720x576", 1), ...tone(1), "-vf", "interlace,setsar=16/15", ...h264, ...aac],
      ...["-preset", "veryfast", "-flags", "+ildct+ilme", "-x264opts", "tff=1"],
    ],
    { ...audible, size: "768x576" },
  ),
  variableRate: encoded(
    "variable frame rate",
    "variable-rate.mp4",
    [
      ...[...picture("320x180", 3, 30), ...h264, "-fps_mode", "vfr"],
      ...["-vf", "select='not(between(t,1,2))*gte(random(1),0.3)'"],
    ],
    { ...copied, durationS: 2.9 },
  ),
  rareKeyframes: encoded(
    "a single keyframe in 24 s",
    "rare-keyframes.mp4",
    [...picture("320x180", 24, 10), ...h264, "-g", "9999", "-sc_threshold", "0"],
    { durationS: 24 },
  ),
  oneFrame: encoded("a single frame", "one-frame.mp4", [...picture("320x180", 0.04), ...h264], {
    ...copied,
    durationS: 0.04,
  }),
  fullChroma: encoded("4:4:4", "full-chroma.mp4", [...image, ...h264, "-pix_fmt", "yuv444p"]),
  mpeg4: encoded(
    "MPEG-4 part 2 and MP3 in AVI",
    "mpeg4.avi",
    [...withTone, "-c:v", "mpeg4", "-c:a", "libmp3lame"],
    { ...audible, encoder: "libmp3lame" },
  ),
  mjpeg: encoded(
    "Motion JPEG in AVI",
    "mjpeg.avi",
    [...withTone, "-c:v", "mjpeg", "-q:v", "8", "-pix_fmt", "yuvj420p", "-c:a", "pcm_s16le"],
    audible,
  ),
  prores: encoded(
    "ProRes in QuickTime",
    "prores.mov",
    [...withTone, "-c:v", "prores_ks", "-profile:v", "1", "-c:a", "pcm_s16le"],
    audible,
  ),
  subtitled: sample(
    "Matroska with subtitles",
    async () => {
      const text = await keepBytes("words.srt", "1\n00:00:00,000 --> 00:00:01,000\nWords\n");
      return encodeClip("subtitled.mkv", [
        ...[...withTone, "-i", text, "-map", "0", "-map", "1", "-map", "2", ...h264, ...aac],
        ...["-c:s", "srt"],
      ]);
    },
    copiedWithAudio,
  ),
} satisfies Record<string, SampleVideo>;

/** Lists the samples that this build of ffmpeg can create. */
export async function listSampleVideos(): Promise<SampleVideo[]> {
  const all = Object.values(sampleVideos);
  const hasEach = await Promise.all(
    all.map(async ({ encoder }) => encoder === undefined || (await hasEncoder(encoder))),
  );
  return all.filter((_, index) => hasEach[index]);
}
