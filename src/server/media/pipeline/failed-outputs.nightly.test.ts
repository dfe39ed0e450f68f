import { stat, truncate } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { encodeClip } from "#test/clip-cache.ts";
import { aac, h264, picture, sampleVideos, tone } from "#test/sample-videos.ts";
import { createTestMedia, type TestMedia } from "../media.fixture.ts";
import { MediaProcessError } from "../run/media-process-error.ts";
import type { RunResult } from "../run/run-process.ts";
import type { PipelineContext } from "./pipeline-context.ts";
import { expectCompleteRun, runProcess } from "./process-run.fixture.ts";

// A video plays although one of its files can't be made.
let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

const killed: RunResult = {
  exitCode: null,
  signal: "SIGKILL",
  isOutOfCpuTime: false,
  killed: "memory",
  stdout: Buffer.alloc(0),
  stderr: "",
  stderrLineCount: 0,
  usage: { cpuS: 0, peakRssBytes: 0, peakAddressBytes: 0, wallS: 0 },
};

test("makes one rendition at a time if memory is too small for the ladder", async () => {
  const { pipeline } = at.media;
  const { tools } = pipeline;
  const passes: number[] = [];
  const small: PipelineContext = {
    ...pipeline,
    tools: {
      ...tools,
      ffmpeg(job) {
        if (job.name !== "ladder") return tools.ffmpeg(job);
        const count = job.args.filter((arg) => arg.startsWith("-c:v:")).length;
        passes.push(count);
        if (count === 1) return tools.ffmpeg(job);
        return Promise.reject(new MediaProcessError("ladder", killed));
      },
    },
  };
  const source = await encodeClip("three-rungs.mp4", [
    ...[...picture("854x480", 1), ...tone(1), ...h264, ...aac],
  ]);
  const run = await runProcess(at, source, {}, small);
  await expectCompleteRun(at, run);
  expect(passes).toEqual([3, 1, 1, 1]);
  expect(run.all("hls_media").map(({ name }) => name)).toEqual([
    "hls/v480.mp4",
    "hls/v360.mp4",
    "hls/v240.mp4",
    "hls/audio.mp4",
  ]);
});

/** Returns the real tools, except that the output of one job is cut off. */
function withCutOutput(name: string, keep: (attempt: number) => number): PipelineContext {
  const { pipeline } = at.media;
  let attempt = 0;
  return {
    ...pipeline,
    tools: {
      ...pipeline.tools,
      ffmpeg: async (job) => {
        const result = await pipeline.tools.ffmpeg(job);
        const target = job.args.at(-1)?.replace("file:", "").replace("%d", "1") ?? "";
        if (job.name === name) {
          const { size } = await stat(target);
          attempt += 1;
          await truncate(target, Math.floor(size * keep(attempt)));
        }
        return result;
      },
    },
  };
}

const withoutLadder = { done: new Set(["ladder", "extras"] as const) };

test("leaves out a preview that fails twice in the same way, with a notice", async () => {
  const run = await runProcess(
    at,
    await sampleVideos.plain.make(),
    {},
    withCutOutput("preview", () => 0.5),
  );
  expect(run.result.problems).toEqual([]);
  expect(run.steps).toEqual(["playable", "captions", "pictures", "ladder", "extras"]);
  expect(run.all("preview")).toEqual([]);
  expect(run.one("poster").sizeBytes).toBeGreaterThan(0);
  expect(run.skipped).toEqual(["preview"]);
  expect(run.notices).toEqual([
    expect.stringMatching(
      /^Couldn't make the preview, twice for the same reason: preview\.mp4: .*\.$/,
    ),
  ]);
});

test("makes a preview again that was incomplete once", async () => {
  const run = await runProcess(
    at,
    await sampleVideos.plain.make(),
    withoutLadder,
    withCutOutput("preview", (attempt) => (attempt === 1 ? 0.5 : 1)),
  );
  expect([run.skipped, run.notices]).toEqual([[], []]);
  expect(run.one("preview").sizeBytes).toBeGreaterThan(0);
});

test("leaves out a poster and a storyboard that can't be encoded", async () => {
  const { pipeline } = at.media;
  const result = {
    ...{ exitCode: 1, signal: null, killed: null, isOutOfCpuTime: false, stdout: Buffer.alloc(0) },
    ...{ usage: { cpuS: 0, peakRssBytes: 0, peakAddressBytes: 0, wallS: 0 }, stderrLineCount: 1 },
  };
  const run = await runProcess(
    at,
    await sampleVideos.plain.make(),
    {},
    {
      ...pipeline,
      tools: {
        ...pipeline.tools,
        ffmpeg: async (job) => {
          if (job.name !== "poster" && job.name !== "storyboard") return pipeline.tools.ffmpeg(job);
          const stderr = `[libaom @ 0x${Math.random().toString(16).slice(2)}] out of range`;
          throw new MediaProcessError(job.name, { ...result, stderr });
        },
      },
    },
  );
  expect(run.result.problems).toEqual([]);
  expect(run.skipped).toEqual(["poster", "storyboard"]);
  expect(run.notices[0]).toMatch(/: \[libaom\] out of range\.$/);
  expect(run.one("progressive_small").sizeBytes).toBeGreaterThan(0);
});
