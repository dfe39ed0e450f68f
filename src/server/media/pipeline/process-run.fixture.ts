import { createHash } from "node:crypto";
import { createReadStream, globSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, inject } from "vitest";
import type { Loudness, VideoSound } from "#contract/videos/videos.ts";
import type { TestMedia } from "../media.fixture.ts";
import type { CaptionsOutput } from "./captions.step.ts";
import { processVideo, type ProcessJob, type StepName } from "./process-video.ts";
import { readPixels, readSound, readStreams } from "./read-streams.fixture.ts";
import type { PipelineContext, MediaFile, MediaRole } from "./pipeline-context.ts";
import { cacheFolder } from "#test/clip-cache.ts";

export interface ProcessRun {
  facts: ProcessJob["facts"];
  files: MediaFile[];
  steps: StepName[];
  progress: number[];
  texts: CaptionsOutput;
  skipped: string[];
  /** Notices of outputs that were left out. */
  notices: string[];
  loudness: Loudness | null;
  sounds: VideoSound[];
  /** Null if the caller has chosen one. */
  crf: number | null;
  result: Awaited<ReturnType<typeof processVideo>>;
  all(role: MediaRole): MediaFile[];
  one(role: MediaRole): MediaFile;
}

let runs = 0;

/** Processes a file and records everything passed to the hooks. */
export async function runProcess(
  at: TestMedia,
  source: string,
  change: Partial<ProcessJob> = {},
  pipeline: PipelineContext = at.media.pipeline,
): Promise<ProcessRun> {
  runs += 1;
  const workDir = path.join(at.folder, `run-${runs}`);
  const facts = await at.media.probe(source);
  const files: MediaFile[] = [];
  const steps: StepName[] = [];
  const progress: number[] = [];
  const skipped: string[] = [];
  const notices: string[] = [];
  let loudness: Loudness | null = null;
  let sounds: VideoSound[] = [];
  let crf: number | null = null;
  let texts: CaptionsOutput = { tracks: [], notices: [] };
  const take = (step: StepName) => async (output: { files: MediaFile[] }) => {
    steps.push(step);
    files.push(...output.files);
  };
  const result = await processVideo(pipeline, {
    sourcePath: source,
    facts,
    workDir,
    loudness: null,
    normalizesLoudness: true,
    ladderCrf: null,
    hooks: {
      async onQuality(chosen) {
        crf = chosen;
      },
      async onLoudness(measured) {
        loudness = measured;
      },
      onPlayable: take("playable"),
      onCaptions: async (output) => {
        steps.push("captions");
        texts = output;
      },
      async onPictures(output) {
        await take("pictures")(output);
        skipped.push(...output.skipped);
        notices.push(...output.notices);
      },
      async onLadder(output) {
        await take("ladder")(output);
        ({ sounds } = output);
      },
      async onExtras(output) {
        await take("extras")(output);
        skipped.push(...output.skipped);
        notices.push(...output.notices);
      },
      onProgress: (value) => progress.push(value),
    },
    ...change,
  });
  const made = { facts, files, steps, progress, texts, skipped, notices };
  return withFiles({ ...made, loudness, sounds, crf, result });
}

function withFiles(run: Omit<ProcessRun, "all" | "one">): ProcessRun {
  const all = (role: MediaRole): MediaFile[] => run.files.filter((file) => file.role === role);
  const one = (role: MediaRole): MediaFile => {
    const [file] = all(role);
    if (file === undefined) throw new Error(`no ${role}`);
    return file;
  };
  return { ...run, all, one };
}

const mediaFolder = fileURLToPath(new URL("..", import.meta.url));

/** Changes when any source that affects the outputs changes. */
function hashSources(): string {
  const hash = createHash("sha256");
  const names = globSync("**/*.ts", { cwd: mediaFolder, exclude: ["**/*.test.ts"] });
  for (const name of names.toSorted()) hash.update(readFileSync(path.join(mediaFolder, name)));
  return hash.digest("hex");
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest("hex");
}

/**
 * Like `runProcess` without changes, but takes the result of an earlier test or run with the same
 * file, sources and ffmpeg. Tests must not change the files.
 */
export async function processOnce(at: TestMedia, source: string): Promise<ProcessRun> {
  const recipe = ["processed", await hashFile(source), hashSources(), inject("toolReport")?.tools];
  const folder = await cacheFolder(recipe, async (work) => {
    const run = await runProcess(at, source, { workDir: work });
    const files = run.files.map((file) => ({ ...file, path: path.relative(work, file.path) }));
    await writeFile(path.join(work, "run.json"), JSON.stringify({ ...run, files }));
  });
  const run: Omit<ProcessRun, "all" | "one"> = JSON.parse(
    await readFile(path.join(folder, "run.json"), "utf8"),
  );
  const files = run.files.map((file) => ({ ...file, path: path.join(folder, file.path) }));
  return withFiles({ ...run, files });
}

/** Expects that every output exists, plays in every browser and is listed in the playlists. */
export async function expectCompleteRun(at: TestMedia, run: ProcessRun): Promise<void> {
  expect(run.result.problems).toEqual([]);
  expect(run.steps).toEqual(["playable", "captions", "pictures", "ladder", "extras"]);
  expect(run.progress).toEqual(run.progress.toSorted((a, b) => a - b));
  expect(run.progress.at(-1)).toBe(1);
  for (const media of [...run.all("hls_media"), run.one("progressive_small")]) {
    if (media.width === null) continue;
    const { video } = await readStreams(at.media, media.path);
    expect(video).toMatchObject({
      codec_name: "h264",
      pix_fmt: "yuv420p",
      width: media.width,
      height: media.height,
      sample_aspect_ratio: "1:1",
      side_data_list: [],
    });
  }
  const { audio } = await readStreams(at.media, run.one("progressive_small").path);
  expect(audio === null).toBe(run.facts.audio === null);
  const master = await readFile(run.one("hls_master").path, "utf8");
  const named = [...master.matchAll(/^(\S+\.m3u8)$|URI="([^"]+)"/gm)].map(([, a, b]) => a ?? b);
  const stored = run.all("hls_playlist").map((file) => path.basename(file.name));
  expect(named.toSorted()).toEqual(stored.toSorted());
  expect(master.includes("AUDIO=")).toBe(run.facts.audio !== null);
}

/** Returns the average difference between two pictures, 0 to 255. */
export async function compareFrames(
  at: TestMedia,
  a: string,
  b: string,
  atS: number,
): Promise<number> {
  const size = { width: 16, height: 16 };
  const [first, second] = await Promise.all([
    readPixels(at.media, a, atS, size),
    readPixels(at.media, b, atS, size),
  ]);
  let sum = 0;
  for (let i = 0; i < 256; i += 1) {
    const [x, y] = [i % 16, Math.floor(i / 16)];
    const other = second(x, y);
    sum += first(x, y).reduce((total, value, k) => total + Math.abs(value - (other[k] ?? 0)), 0);
  }
  return sum / (256 * 3);
}

const soundRate = 8000;
/** Maximum delay of audio by an AAC encoder. */
const maxLagSamples = soundRate * 0.05;

/**
 * Returns the correlation of two files' decoded audio, shifted by at most 50 ms; 1 for the same
 * audio.
 */
export async function correlateSound(at: TestMedia, a: string, b: string): Promise<number> {
  const [first, second] = await Promise.all([
    readSound(at.media, a, soundRate),
    readSound(at.media, b, soundRate),
  ]);
  let best = -1;
  for (let lag = -maxLagSamples; lag <= maxLagSamples; lag += 1) {
    const sums = { both: 0, first: 0, second: 0 };
    for (let i = maxLagSamples; i < first.length - maxLagSamples; i += 1) {
      const [x, y] = [first[i] ?? 0, second[i + lag] ?? 0];
      sums.both += x * y;
      sums.first += x * x;
      sums.second += y * y;
    }
    best = Math.max(best, sums.both / Math.sqrt(sums.first * sums.second));
  }
  return best;
}

/** Expects a phone video in five renditions, upright in every file. */
export async function expectUprightRungs(
  at: TestMedia,
  source: string,
  run: ProcessRun,
  atS: number,
): Promise<void> {
  await expectCompleteRun(at, run);
  const rungs = run.all("hls_media").filter((file) => file.width !== null);
  expect(rungs.map((file) => `${file.width}x${file.height}`)).toEqual([
    ...["1080x1920", "720x1280", "480x854", "360x640", "240x426"],
  ]);
  for (const file of [run.one("progressive"), run.one("progressive_small"), rungs[0]]) {
    expect(await compareFrames(at, source, file?.path ?? "", atS)).toBeLessThan(6);
  }
  expect(run.one("poster")).toMatchObject({ width: 540, height: 960 });
  expect(run.one("thumbnail")).toMatchObject({ width: 360, height: 640 });
  expect(run.one("preview")).toMatchObject({ width: 180, height: 320 });
}
