import { afterAll, beforeAll, expect, test } from "vitest";
import { encodeClip } from "#test/clip-cache.ts";
import { aac, h264, picture, tone } from "#test/sample-videos.ts";
import { createTestMedia, type TestMedia } from "../media.fixture.ts";
import { smallJobLimits } from "../facts/process-limits.ts";
import { runProcess } from "./process-run.fixture.ts";
import { readSound, readStreams } from "./read-streams.fixture.ts";

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

/** Returns what a decoder prints about a file. */
async function listErrors(file: string): Promise<string> {
  const { tools, emptyDir } = at.media.pipeline;
  const { stderr } = await tools.ffmpeg({
    name: "decode",
    args: ["-i", `file:${file}`, "-f", "null", "-"],
    cwd: emptyDir,
    inputs: [file],
    limits: smallJobLimits,
  });
  return stderr;
}

test("replaces the damaged sound of a copy and keeps its picture", async () => {
  const whole = await encodeClip("whole-sound.mp4", [
    ...[...picture("96x54", 3, 10), ...tone(3), ...h264, "-g", "10", ...aac],
  ]);
  const source = await encodeClip("damaged-sound.mp4", [
    ...["-i", whole, "-c", "copy", "-bsf:a", String.raw`noise=amount=between(n\,60\,66)`],
  ]);
  expect(await listErrors(source)).toContain("[aac");
  const run = await runProcess(at, source, {
    done: new Set(["captions", "pictures"]),
    normalizesLoudness: false,
  });
  expect(run.result.problems).toEqual([]);
  // The repaired copy replaces the early one.
  const [, repaired] = run.all("progressive");
  expect(repaired).toMatchObject({ name: "original.mp4", width: 96, height: 54 });
  expect(await listErrors(repaired?.path ?? "")).toBe("");
  const { video, durationS } = await readStreams(at.media, repaired?.path ?? "");
  expect([video.width, video.profile]).toEqual([96, "Constrained Baseline"]);
  expect(durationS).toBeCloseTo(3, 0);
  // The tone goes on after the silence.
  const samples = await readSound(at.media, repaired?.path ?? "", 1000);
  expect(Math.max(...samples.subarray(2000, 2900))).toBeGreaterThan(1000);
});
