import { mkdir } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  canMakeCell,
  listGridCells,
  makeGridClip,
  titleOf,
  type GridClip,
} from "#test/media-grid.ts";
import { AppError } from "#server/lib/app-error.ts";
import { corpusPath, corpusFiles } from "../corpus-videos.fixture.ts";
import type { Ratio } from "../facts/media-facts.ts";
import { smallJobLimits } from "../facts/process-limits.ts";
import { createTestMedia, type TestMedia } from "../media.fixture.ts";
import { makePlayable } from "./playable.step.ts";
import { scanSource } from "./process-video.ts";

// Cuts compared with ffmpeg's own: the whole source is decoded, and the same frames and samples are
// taken from it.

vi.setConfig({ maxConcurrency: 2, testTimeout: 600_000 });

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

const side = 16;
const frameBytes = side * side;
const sampleRate = 8000;
/** Maximum shift of the sound, in samples: 20 ms. */
const maxLag = sampleRate / 50;
/** Sources are cut within this time, so that the test ends. */
const longestS = 20;

async function decode(file: string, args: string[]): Promise<Buffer> {
  const { tools, emptyDir } = at.media.pipeline;
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

const decodeFrames = async (file: string, filter: string): Promise<Float32Array[]> => {
  const scale = `${filter}scale=${side}:${side}:flags=area,format=gray`;
  const bytes = await decode(file, [
    ...["-map", "0:v:0", "-vf", scale, "-fps_mode", "passthrough", "-t", String(longestS + 1)],
    ...["-f", "rawvideo"],
  ]);
  return Array.from({ length: Math.floor(bytes.length / frameBytes) }, (_, i) =>
    Float32Array.from(bytes.subarray(i * frameBytes, (i + 1) * frameBytes)),
  );
};

/**
 * Removes brightness and contrast, which tone mapping changes.
 * @param among frames that both files have. Fades within them remain.
 */
function normalize(frames: Float32Array[], among: Float32Array[]): Float32Array[] {
  const values = among.flatMap((frame) => [...frame]);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  const spread = Math.max(Math.sqrt(variance), 1);
  return frames.map((frame) => frame.map((value) => (value - mean) / spread));
}

const distance = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, i) => sum + (value - (b[i] ?? 0)) ** 2, 0) / a.length;

async function decodeSound(file: string): Promise<Float32Array> {
  const bytes = await decode(file, [
    ...["-map", "0:a:0", "-af", "aresample=async=1000:first_pts=0", "-ac", "1"],
    ...["-ar", String(sampleRate), "-t", String(longestS + 1), "-f", "s16le"],
  ]);
  const samples = new Int16Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 2));
  return Float32Array.from(samples);
}

/** Returns by how many samples a part is later than the reference; 0 if that isn't clear. */
function findLag(part: Float32Array, whole: Float32Array, from: number): number {
  const edge = maxLag * 3;
  const scoreAt = (lag: number): number => {
    let [product, own, other] = [0, 1, 1];
    for (let i = edge; i < part.length - edge; i += 2) {
      const [a, b] = [part[i] ?? 0, whole[from + i - lag] ?? 0];
      product += a * b;
      own += a * a;
      other += b * b;
    }
    return product / Math.sqrt(own * other);
  };
  let best = { lag: 0, score: scoreAt(0) };
  for (let lag = -edge; lag <= edge; lag += 1) {
    const score = scoreAt(lag);
    if (score > best.score + 0.02) best = { lag, score };
  }
  return best.lag;
}

let runs = 0;

/** Returns the parts that a source plays. It starts when the first of them does. */
const playedParts = ({ parts }: NonNullable<GridClip["edited"]>) =>
  parts.slice(parts.findIndex(({ fromS }) => fromS !== null));

/** Returns the frames of a source after its edit list, at a constant rate. */
async function decodeSource({ file, edited }: GridClip, fps: Ratio): Promise<Float32Array[]> {
  const filter = `fps=${fps.num}/${fps.den}:start_time=0,`;
  const frames = await decodeFrames(edited?.file ?? file, filter);
  if (edited === null) return frames;
  const toFrame = (timeS: number): number => Math.round((timeS * fps.num) / fps.den + 1e-6);
  let atS = 0;
  return playedParts(edited).flatMap(({ fromS, lengthS }) => {
    const length = toFrame(atS + lengthS) - toFrame(atS);
    atS += lengthS;
    const first = toFrame(fromS ?? 0);
    return frames.slice(first, first + length);
  });
}

/** Returns the sound of a source after its edit list. */
async function decodeSourceSound({ file, edited }: GridClip): Promise<Float32Array> {
  const samples = await decodeSound(edited?.file ?? file);
  if (edited === null) return samples;
  const parts = playedParts(edited).map(({ fromS, lengthS }) => {
    const from = Math.round((fromS ?? 0) * sampleRate);
    return samples.slice(from, from + Math.round(lengthS * sampleRate));
  });
  return Float32Array.from(parts.flatMap((part) => [...part]));
}

/** Returns what differs between a cut and the same parts of the decoded source. */
async function compareCut(clip: GridClip): Promise<string[] | null> {
  const sourcePath = clip.file;
  runs += 1;
  const workDir = path.join(at.folder, `nightly-${runs}`);
  await mkdir(workDir);
  const facts = await at.media.probe(sourcePath).catch((error: unknown) => {
    // Refused files are tested elsewhere.
    if (error instanceof AppError) return null;
    throw error;
  });
  if (facts === null) return null;
  const job = { sourcePath, facts, workDir, signal: undefined };
  const { fps } = await scanSource(at.media.pipeline, job);
  const rate = fps.num / fps.den;
  const count = Math.floor(Math.min(facts.video.endS, longestS) * rate);
  if (count < 12) return null;
  const places = [0.1, 0.35, 0.5, 0.62, 0.8, 0.95].map((share) => Math.round(share * count));
  const spans = [0, 2, 4].map((i) => ({ from: places[i] ?? 0, until: places[i + 1] ?? count }));
  const keptParts = spans.map(({ from, until }) => ({
    startS: from / rate,
    endS: until / rate,
  }));
  const source = await scanSource(at.media.pipeline, { ...job, keptParts });
  const playable = await makePlayable(at.media.pipeline, source, async () => 0);
  const file = playable.files[0]?.path ?? "";

  const decoded = await decodeSource(clip, fps);
  const expected = spans.flatMap(({ from, until }) => decoded.slice(from, until));
  const whole = normalize(decoded, expected);
  const decodedCut = await decodeFrames(file, "");
  const made = normalize(decodedCut, decodedCut);
  const differences: string[] = [];
  if (made.length !== expected.length) {
    differences.push(`${made.length} frames instead of ${expected.length}`);
  }
  let first = 0;
  for (const { from, until } of spans) {
    // Single frames of slow pictures look like their neighbors. A whole part doesn't.
    const shifts = [-2, -1, 0, 1, 2].map((shift) => {
      let sum = 0;
      for (let i = 0; i < until - from; i += 1) {
        const frame = made[first + i] ?? new Float32Array(frameBytes);
        sum += distance(frame, whole[from + i + shift] ?? new Float32Array(frameBytes));
      }
      return { shift, mean: sum / (until - from) };
    });
    first += until - from;
    const own = shifts[2]?.mean ?? 0;
    const best = shifts.toSorted((a, b) => a.mean - b.mean)[0];
    if (best !== undefined && own > best.mean * 1.1 + 0.01) {
      differences.push(`the part from frame ${from} is shifted by ${best.shift}`);
    }
  }
  if (facts.audio !== null) {
    const [sound, reference] = [await decodeSound(file), await decodeSourceSound(clip)];
    let atS = 0;
    for (const { startS, endS } of keptParts) {
      const [from, until] = [atS, atS + endS - startS].map((timeS) =>
        Math.round(timeS * sampleRate),
      );
      atS += endS - startS;
      const lag = findLag(sound.subarray(from, until), reference, Math.round(startS * sampleRate));
      if (Math.abs(lag) > maxLag) {
        differences.push(
          `sound at ${startS.toFixed(2)} s is ${(lag / sampleRate).toFixed(3)} s late`,
        );
      }
    }
  }
  return differences;
}

describe("cuts generated files like ffmpeg", () => {
  test.for(listGridCells(30).map((cell) => ({ title: titleOf(cell), cell })))(
    "$title",
    async ({ cell }, { skip }) => {
      skip(!(await canMakeCell(cell)), "ffmpeg lacks an encoder");
      const found = await compareCut(await makeGridClip(cell));
      skip(found === null, "the file is too short");
      expect(found).toEqual([]);
    },
  );
});

describe.skipIf(corpusFiles.length === 0)("cuts files of the corpus like ffmpeg", () => {
  test.for(corpusFiles.filter(({ expected }) => expected === "accept"))(
    "$file",
    async ({ file }, { skip }) => {
      const found = await compareCut({ file: corpusPath(file), edited: null });
      skip(found === null, "the file is too short");
      expect(found).toEqual([]);
    },
  );
});
