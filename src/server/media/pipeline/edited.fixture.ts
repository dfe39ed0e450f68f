import path from "node:path";
import { encodeClip } from "#test/clip-cache.ts";
import { smallJobLimits } from "../facts/process-limits.ts";
import type { Media } from "../media.ts";

// A clip in which every frame and every second of sound can be recognised.

/** Frames per second. */
const countedRate = 10;
const [darkest, step] = [30, 3];

/**
 * Creates 6 s of H.264 and AAC. The brightness of a frame is its number, and each second of sound
 * has its own pitch.
 */
export const countedClip = (
  name = "counted.mov",
  options: readonly string[] = [],
): Promise<string> =>
  encodeClip(name, [
    ...["-f", "lavfi", "-i", `color=black:s=64x36:r=${countedRate}:d=6,format=yuv420p`],
    ...["-f", "lavfi", "-i", "aevalsrc='0.5*sin(2*PI*(400+200*floor(t))*t)':s=48000:d=6"],
    ...["-vf", `geq=lum='${darkest}+${step}*N':cb=128:cr=128`],
    ...["-c:v", "libx264", "-preset", "veryfast", "-crf", "10", "-g", "20", "-bf", "2"],
    ...["-c:a", "aac", "-ac", "2", ...options],
  ]);

/** Returns the numbers of the frames that a file shows. */
export async function readFrameNumbers(media: Media, file: string): Promise<number[]> {
  const pixels = await readRaw(media, file, [
    ...["-map", "0:v:0", "-vf", "scale=2:2:flags=area,format=gray", "-fps_mode", "passthrough"],
    ...["-f", "rawvideo"],
  ]);
  const count = Math.floor(pixels.length / 4);
  return Array.from({ length: count }, (_, i) => {
    const full = pixels.subarray(i * 4, i * 4 + 4).reduce((sum, value) => sum + value, 0) / 4;
    return Math.max(0, Math.round(((full * 219) / 255 + 16 - darkest) / step));
  });
}

/** Returns the second of the clip that is heard in each fifth of a second; null for silence. */
export async function readSeconds(media: Media, file: string): Promise<(number | null)[]> {
  const rate = 8000;
  const bytes = await readRaw(media, file, [
    ...["-map", "0:a:0", "-ac", "1", "-ar", String(rate), "-f", "s16le"],
  ]);
  const samples = new Int16Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 2));
  const window = rate / 5;
  return Array.from({ length: Math.round(samples.length / window) }, (_, i) => {
    // Leaves out the edges, which may contain a change.
    const heard = samples.subarray(i * window + 200, (i + 1) * window - 200);
    const loudest = heard.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
    if (loudest < 1000) return null;
    let crossings = 0;
    for (let at = 1; at < heard.length; at += 1) {
      if ((heard[at - 1] ?? 0) < 0 !== (heard[at] ?? 0) < 0) crossings += 1;
    }
    return Math.max(0, Math.round(((crossings * rate) / heard.length / 2 - 400) / 200));
  });
}

async function readRaw(media: Media, file: string, args: string[]): Promise<Buffer> {
  const { tools, emptyDir } = media.pipeline;
  const { stdout } = await tools.ffmpeg({
    name: "read",
    args: ["-i", `file:${file}`, ...args, "pipe:1"],
    cwd: emptyDir,
    inputs: [file, path.dirname(file)],
    limits: smallJobLimits,
    wantsStdout: true,
  });
  return Buffer.from(stdout);
}
