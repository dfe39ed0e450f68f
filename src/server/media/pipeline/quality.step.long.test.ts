import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { encodeClip } from "#test/clip-cache.ts";
import { h264, picture } from "#test/sample-videos.ts";
import { createTestMedia, type TestMedia } from "../media.fixture.ts";
import { MediaProcessError } from "../run/media-process-error.ts";
import type { SourceVideo } from "./pipeline-context.ts";
import { scanSource } from "./process-video.ts";
import { chooseQuality } from "./quality.step.ts";

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

async function scan(sourcePath: string): Promise<SourceVideo> {
  const facts = await at.media.probe(sourcePath);
  return scanSource(at.media.pipeline, { sourcePath, facts, workDir: at.folder });
}

test("finds the same quality every time, and the lowest for a flat picture", async () => {
  const flat = await scan(
    await encodeClip("flat.mp4", ["-f", "lavfi", "-i", "color=c=gray:s=320x180:d=8", ...h264]),
  );
  const motion = await scan(
    await encodeClip("turning.mp4", [
      ...["-f", "lavfi", "-i", "cellauto=s=320x180:rule=110:r=25", "-t", "8", ...h264],
      ...["-vf", "gblur=sigma=1,rotate=a=0.4*t", "-crf", "12"],
    ]),
  );
  const { pipeline } = at.media;
  const chosen = await chooseQuality(pipeline, motion);
  expect(await chooseQuality(pipeline, flat)).toBe(28);
  expect(chosen).toBeLessThanOrEqual(28);
  expect(chosen).toBeGreaterThanOrEqual(22);
  expect(await chooseQuality(pipeline, motion)).toBe(chosen);
});

test("uses the default quality for a short video, or one that can't be sampled", async () => {
  const { pipeline } = at.media;
  const ffmpeg = vi.spyOn(pipeline.tools, "ffmpeg");
  const short = await scan(await encodeClip("short.mp4", [...picture("320x180", 2), ...h264]));
  expect(await chooseQuality(pipeline, short)).toBe(23);
  expect(ffmpeg).not.toHaveBeenCalled();

  const result = {
    exitCode: 1,
    signal: null,
    isOutOfCpuTime: false,
    killed: null,
    stderrLineCount: 0,
    stdout: Buffer.alloc(0),
    stderr: "",
    usage: { cpuS: 1, peakRssBytes: 1, peakAddressBytes: 1, wallS: 1 },
  };
  ffmpeg.mockRejectedValue(new MediaProcessError("trial", result));
  const facts = { ...short.facts, durationS: 60 };
  expect(await chooseQuality(pipeline, { ...short, facts })).toBe(23);
  expect(ffmpeg).toHaveBeenCalledTimes(4);
  vi.restoreAllMocks();
});
