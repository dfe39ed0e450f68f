import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { sampleVideos } from "#test/sample-videos.ts";
import { createTestMedia, type TestMedia } from "../media.fixture.ts";
import {
  compareFrames,
  correlateSound,
  expectCompleteRun,
  expectUprightRungs,
  processOnce,
} from "./process-run.fixture.ts";

// Real encodes take long on a busy machine.
vi.setConfig({ maxConcurrency: 3 });

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

// The other samples are in the nightly tier.
describe.concurrent("all outputs of samples", () => {
  test("turns a rotated video upright in five renditions", async () => {
    const source = await sampleVideos.rotated.make();
    await expectUprightRungs(at, source, await processOnce(at, source), 0.5);
  });

  test("keeps the colors of an HDR video", async () => {
    const source = await sampleVideos.hdr.make();
    const run = await processOnce(at, source);
    await expectCompleteRun(at, run);
    const [top] = run.all("hls_media");
    expect(await compareFrames(at, source, top?.path ?? "", 0)).toBeLessThan(200);
  });

  test("keeps audio in sync in every file of a video cut without encoding", async () => {
    const source = await sampleVideos.trimmed.make();
    const run = await processOnce(at, source);
    await expectCompleteRun(at, run);
    for (const file of [run.one("progressive"), run.one("progressive_small")]) {
      expect(await correlateSound(at, source, file.path)).toBeGreaterThan(0.9);
    }
  });
});
