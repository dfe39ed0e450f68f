import { encodeClip, hasEncoder, keepBytes } from "./clip-cache.ts";
import { createRandom } from "./reference/random.ts";
import { picture, tone } from "./sample-videos.ts";

interface ArchiveSample {
  /** Such as "mpeg2video and mp2 in avi". */
  title: string;
  videoCodec: string;
  audioCodec: string;
  make(): Promise<string>;
}

const rate = 10;
const small = "176x144";

/**
 * Describes a sample with a tenth of a second of audio and video. Encoder names differ from codec
 * names.
 */
function sample(
  container: "avi" | "mov" | "mkv",
  [videoCodec, ...videoOptions]: string[],
  [audioCodec, ...audioOptions]: string[],
  size = small,
): ArchiveSample & { encoders: string[] } {
  const [video = "", audio = ""] = [videoCodec, audioCodec];
  const encoderOf = (options: string[], codec: string) =>
    options.includes("-c") ? (options[options.indexOf("-c") + 1] ?? codec) : codec;
  const without = (options: string[]) => {
    const at = options.indexOf("-c");
    return at < 0 ? options : options.toSpliced(at, 2);
  };
  const encoders = [encoderOf(videoOptions, video), encoderOf(audioOptions, audio)];
  const [videoEncoder = "", audioEncoder = ""] = encoders;
  return {
    title: `${video} and ${audio} in ${container}`,
    videoCodec: video,
    audioCodec: audio,
    encoders,
    make: () =>
      encodeClip(`${video}-${audio}.${container}`, [
        ...[...picture(size, 0.6, video === "dvvideo" ? 25 : rate), ...tone(0.6)],
        ...["-c:v", videoEncoder, ...without(videoOptions)],
        ...["-c:a", audioEncoder, ...without(audioOptions), "-strict", "-2"],
      ]),
  };
}

/**
 * Sample with AMR audio, which no free program writes. Each frame has the size of its mode, and any
 * bits are valid audio.
 */
const phoneSample: ArchiveSample & { encoders: string[] } = {
  title: "h263 and amr_nb in 3gp",
  videoCodec: "h263",
  audioCodec: "amr_nb",
  encoders: ["h263"],
  async make() {
    const random = createRandom(1);
    const frames = Array.from({ length: 30 }, () => [
      ...[0x3c, ...Array.from({ length: 31 }, () => random.below(256))],
    ]);
    const sound = await keepBytes(
      "random.amr",
      Buffer.concat([Buffer.from("#!AMR\n"), Buffer.from(frames.flat())]),
    );
    return encodeClip("h263-amr_nb.3gp", [
      ...[...picture(small, 0.6, rate), "-f", "amr", "-i", sound, "-map", "0:v", "-map", "1:a"],
      ...["-c:v", "h263", "-c:a", "copy"],
    ]);
  },
};

const all = [
  sample("avi", ["mpeg1video", "-r", "25"], ["mp2"]),
  sample("avi", ["mpeg2video"], ["pcm_s16le"]),
  sample("mov", ["mpeg2video"], ["pcm_s24be"]),
  sample("mkv", ["mpeg2video"], ["pcm_f64le"]),
  sample("avi", ["dvvideo", "-pix_fmt", "yuv420p"], ["pcm_s16le", "-ar", "48000"], "720x576"),
  sample("avi", ["msmpeg4v2"], ["adpcm_ms"]),
  sample("avi", ["msmpeg4v3", "-c", "msmpeg4"], ["adpcm_ima_wav"]),
  sample("avi", ["wmv1"], ["wmav1"]),
  sample("avi", ["wmv2"], ["wmav2"]),
  sample("avi", ["huffyuv"], ["pcm_u8"]),
  sample("avi", ["ffvhuff"], ["pcm_mulaw"]),
  sample("avi", ["utvideo"], ["gsm_ms", "-c", "libgsm_ms", "-ar", "8000"]),
  sample("avi", ["cinepak"], ["adpcm_yamaha"]),
  sample("avi", ["rawvideo", "-pix_fmt", "yuv422p"], ["pcm_s16le"]),
  sample(
    "mov",
    ["dnxhd", "-profile:v", "dnxhr_lb", "-pix_fmt", "yuv422p"],
    ["pcm_s32be"],
    "256x144",
  ),
  sample("mov", ["qtrle"], ["adpcm_ima_qt"]),
  sample("mov", ["png"], ["pcm_f32be"]),
  sample("mov", ["h263"], ["pcm_alaw"]),
  sample("mkv", ["ffv1"], ["pcm_s24le"]),
  sample("mkv", ["theora", "-c", "libtheora"], ["flac"]),
  sample("mkv", ["mpeg1video", "-r", "25"], ["pcm_f32le"]),
  sample("mov", ["mpeg2video"], ["pcm_s16be"]),
  sample("mov", ["dvvideo", "-pix_fmt", "yuv420p"], ["pcm_s8"], "720x576"),
  sample("mkv", ["huffyuv"], ["pcm_s32le"]),
  sample("mov", ["rawvideo", "-pix_fmt", "uyvy422"], ["gsm", "-c", "libgsm", "-ar", "8000"]),
  sample("mov", ["png"], ["pcm_f64be"]),
  sample("avi", ["ffv1"], ["pcm_s24le"]),
  sample("avi", ["h263"], ["adpcm_swf"]),
  phoneSample,
];

/**
 * Lists files like those from cameras, editors and archives that this ffmpeg can write. No free
 * encoder writes VC-1, Windows Media 9 or Sorenson 3.
 */
export async function listArchiveSamples(): Promise<ArchiveSample[]> {
  const names = [...new Set(all.flatMap(({ encoders }) => encoders))];
  const has = new Map(
    await Promise.all(names.map(async (name) => [name, await hasEncoder(name)] as const)),
  );
  return all.filter(({ encoders }) => encoders.every((name) => has.get(name) === true));
}
