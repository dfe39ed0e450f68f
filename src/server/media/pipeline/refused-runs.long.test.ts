import { afterAll, beforeAll, expect, test } from "vitest";
import { encodeClip, keepBytes } from "#test/clip-cache.ts";
import { aac, h264, picture, sampleVideos, tone } from "#test/sample-videos.ts";
import { createTestMedia, type TestMedia } from "../media.fixture.ts";
import { findOutsideCause } from "../run/failure-causes.ts";
import { createMediaTools, type MediaTools } from "../run/media-tools.ts";
import { runProcess } from "./process-run.fixture.ts";
import type { StepName } from "./process-video.ts";

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

/**
 * Creates a video with audio and subtitles that is long enough for a trial. Every browser plays its
 * copy.
 */
async function makeSource(): Promise<string> {
  const text = await keepBytes("words.srt", "1\n00:00:00,000 --> 00:00:01,000\nWords\n");
  return encodeClip("all-steps.mkv", [
    ...[...picture("160x90", 6, 10), ...tone(6), "-i", text, "-map", "0", "-map", "1"],
    ...["-map", "2", ...h264, "-g", "20", ...aac, "-c:s", "srt"],
  ]);
}

/** Returns the real tools, but runs with this name end as if the system had refused something. */
function refusing(name: string, stderr: string): MediaTools {
  const { tools, logger } = at.media.pipeline;
  const usage = { cpuS: 0, peakRssBytes: 0, peakAddressBytes: 0, wallS: 0 };
  const ending = { exitCode: 1, signal: null, killed: null, isOutOfCpuTime: false, usage };
  const failing = createMediaTools({
    paths: at.media.report.paths,
    logger,
    colorTables: { listIn: async () => [] },
    runner: {
      run: async () => ({ ...ending, stderr, stderrLineCount: 1, stdout: Buffer.alloc(0) }),
    },
  });
  return {
    ffmpeg: (job) => (job.name === name ? failing : tools).ffmpeg(job),
    ffprobe: (job) => (job.name === name ? failing : tools).ffprobe(job),
  };
}

/** Faults that `media-cause.test.ts` tells apart. Each run gets another one. */
const faults: [stderr: string, cause: string][] = [
  ["pthread_create() failed: Resource temporarily unavailable", "processes"],
  ["file:/source: Permission denied", "permission"],
  ["Error opening output files: Cannot allocate memory", "memory"],
];

/** Every run of a media tool, with the steps that lead to it. */
const runs: [name: string, steps: StepName[]][] = [
  ["scan", ["playable"]],
  ["copy", ["playable"]],
  ["check", ["playable"]],
  ["quick", ["playable"]],
  ["verify", ["pictures"]],
  ["texts", ["captions"]],
  ["candidate", ["pictures"]],
  ["poster", ["pictures"]],
  ["preview", ["pictures"]],
  ["compare", ["pictures"]],
  ["loudness", ["ladder"]],
  ["trial", ["ladder"]],
  ["ladder", ["ladder"]],
  ["small", ["ladder", "extras"]],
  ["storyboard", ["ladder", "extras"]],
];
const allSteps: StepName[] = ["playable", "captions", "pictures", "ladder", "extras"];

test.each(runs)("blames the machine if the system refuses %s something", async (name, steps) => {
  const source = await (name === "quick" ? sampleVideos.fullChroma.make() : makeSource());
  const [stderr = "", cause] = faults[runs.findIndex((run) => run[0] === name) % 3] ?? [];
  const done = new Set(allSteps.filter((step) => !steps.includes(step)));
  const pipeline = { ...at.media.pipeline, tools: refusing(name, stderr) };
  const outcome = await runProcess(at, source, { done }, pipeline).then(
    (run) => run.result.problems[0]?.cause,
    (error: unknown) => error,
  );
  expect(findOutsideCause(outcome)?.name).toBe(cause);
});
