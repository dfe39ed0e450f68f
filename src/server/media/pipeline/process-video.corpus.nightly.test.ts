import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { corpusPath, hasCorpusVideos } from "../corpus-videos.fixture.ts";
import { createTestMedia, type TestMedia } from "../media.fixture.ts";
import {
  compareFrames,
  expectCompleteRun,
  expectUprightRungs,
  runProcess,
} from "./process-run.fixture.ts";

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

describe.skipIf(!hasCorpusVideos)("real files of the corpus", () => {
  test("turns a rotated phone video upright in five renditions", async () => {
    const source = corpusPath("rotate-buck-bunny.mp4");
    await expectUprightRungs(at, source, await runProcess(at, source), 1.48);
  });

  test.each([
    ["HDR", "sample_with_av1c.mp4", "720x1280", 200],
    ["odd size, no sound", "bear-vp9-odd-dimensions.webm", "160x120", 6],
    ["one frame, oblong pixels", "h264_white_frame_sar_16_9.mp4", "1138x480", 3],
    ["matrix of zeros, damaged packets", "no_timescale.mp4", "320x240", 12],
  ])("%s (%s)", async (_, name, size, difference) => {
    const source = corpusPath(name);
    const run = await runProcess(at, source);
    await expectCompleteRun(at, run);
    const [top] = run.all("hls_media");
    expect(`${top?.width}x${top?.height}`).toBe(size);
    expect(await compareFrames(at, source, top?.path ?? "", 0)).toBeLessThan(difference);
  });
});
