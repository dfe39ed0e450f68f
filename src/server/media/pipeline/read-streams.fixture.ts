import type { Media } from "../media.ts";
import { smallJobLimits } from "../facts/process-limits.ts";
import { parseProbe, probedInfo, type ProbedStream } from "../probe/ffprobe-output.ts";

export interface ReadStreams {
  video: ProbedStream;
  audio: ProbedStream | null;
  others: number;
  durationS: number;
}

/** Returns the ffprobe output for a generated file, for tests. */
export async function readStreams(media: Media, file: string): Promise<ReadStreams> {
  const { tools, emptyDir } = media.pipeline;
  const result = await tools.ffprobe({
    name: "read",
    args: ["-show_format", "-show_streams", "-of", "json", `file:${file}`],
    cwd: emptyDir,
    inputs: [file],
    limits: smallJobLimits,
  });
  const info = parseProbe(probedInfo, result.stdout);
  const video = info?.streams.find((stream) => stream.codec_type === "video");
  if (info === null || video === undefined) throw new Error(`no video in ${file}`);
  const audio = info.streams.find((stream) => stream.codec_type === "audio") ?? null;
  return {
    video,
    audio,
    others: info.streams.length - (audio === null ? 1 : 2),
    durationS: info.format.duration ?? 0,
  };
}

/** Returns the colors that a file names: range, matrix, transfer and primaries. */
export async function readColorNames(media: Media, file: string): Promise<string> {
  const { tools, emptyDir } = media.pipeline;
  const result = await tools.ffprobe({
    name: "read colors",
    args: [
      ...["-select_streams", "v", "-of", "default=nw=1:nk=1", "-show_entries"],
      ...["stream=color_range,color_space,color_transfer,color_primaries", `file:${file}`],
    ],
    cwd: emptyDir,
    inputs: [file],
    limits: smallJobLimits,
  });
  return result.stdout.toString().trim().replaceAll("\n", " ");
}

const exact = "accurate_rnd+full_chroma_int";

/**
 * Returns the frame at a time as RGB, 3 bytes per pixel, at the given size. It is rotated as in
 * players.
 */
export async function readPixels(
  media: Media,
  file: string,
  atS: number,
  size: { width: number; height: number },
): Promise<(x: number, y: number) => [number, number, number]> {
  const { tools, emptyDir } = media.pipeline;
  const result = await tools.ffmpeg({
    name: "pixels",
    args: [
      // Seeking to the start finds no keyframe for MPEG-2 in AVI.
      ...(atS === 0 ? [] : ["-ss", atS.toFixed(3)]),
      ...["-i", `file:${file}`, "-frames:v", "1"],
      // In this order, because ffmpeg 7 scales planes of RGB less exactly.
      ...["-vf", `scale=${size.width}:${size.height}:flags=area+${exact},format=gbrp`],
      ...["-pix_fmt", "rgb24"],
      ...["-f", "rawvideo", "pipe:1"],
    ],
    cwd: emptyDir,
    inputs: [file],
    limits: smallJobLimits,
    wantsStdout: true,
  });
  return (x, y) => {
    const at = (y * size.width + x) * 3;
    const pixel = result.stdout.subarray(at, at + 3);
    return [pixel[0] ?? 0, pixel[1] ?? 0, pixel[2] ?? 0];
  };
}

/**
 * Returns the structural similarity of two files' frames (SSIM of the brightness, 1 at best).
 * Scales the first one to the size of the second and converts both to the same colors.
 */
export async function comparePictures(
  media: Media,
  source: string,
  made: string,
  rate: number,
): Promise<number> {
  const { tools, emptyDir } = media.pipeline;
  const { video } = await readStreams(media, made);
  const asShown = `fps=${rate},scale=${video.width}:${video.height}:flags=bicubic,format=gbrp,format=gray`;
  const { stdout } = await tools.ffmpeg({
    name: "similarity",
    args: [
      ...["-i", `file:${source}`, "-i", `file:${made}`, "-filter_complex"],
      `[0:v]${asShown},setsar=1[a];[1:v]${asShown},setsar=1[b];[a][b]ssim=stats_file=-:shortest=1`,
      ...["-f", "null", "/dev/null"],
    ],
    cwd: emptyDir,
    inputs: [source, made],
    limits: smallJobLimits,
    wantsStdout: true,
  });
  const each = [...stdout.toString().matchAll(/All:([\d.]+)/g)].map(([, value]) => Number(value));
  return each.reduce((sum, value) => sum + value, 0) / each.length;
}

/** Returns a file's mono audio samples. */
export async function readSound(media: Media, file: string, rate: number): Promise<Int16Array> {
  const { tools, emptyDir } = media.pipeline;
  const { stdout } = await tools.ffmpeg({
    name: "sound",
    args: ["-i", `file:${file}`, "-vn", "-ac", "1", "-ar", String(rate), "-f", "s16le", "pipe:1"],
    cwd: emptyDir,
    inputs: [file],
    limits: smallJobLimits,
    wantsStdout: true,
  });
  return new Int16Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.length));
}
