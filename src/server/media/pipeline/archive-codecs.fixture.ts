import { mkdtemp } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listArchiveSamples } from "#test/archive-samples.ts";
import { createTestMedia, type TestMedia } from "../media.fixture.ts";
import { makePlayable } from "./playable.step.ts";
import { compareFrames, correlateSound } from "./process-run.fixture.ts";
import { scanSource } from "./process-video.ts";
import { comparePictures } from "./read-streams.fixture.ts";

/** Defines a test for every n-th file like those of cameras, editors and archives. */
export async function testArchiveCodecs(every: number): Promise<void> {
  const samples = (await listArchiveSamples()).filter((_, number) => number % every === 0);
  let at: TestMedia;
  beforeAll(async () => {
    at = await createTestMedia();
  });
  afterAll(() => at.remove());

  describe.concurrent("codecs of cameras, editors and archives", () => {
    test.each(samples)("preserves picture and audio of $title", async (sample) => {
      const sourcePath = await sample.make();
      const facts = await at.media.probe(sourcePath);
      expect(facts).toMatchObject({
        video: { codec: sample.videoCodec },
        audio: { codec: sample.audioCodec },
      });
      const workDir = await mkdtemp(path.join(at.folder, "archive-"));
      const source = await scanSource(at.media.pipeline, { sourcePath, facts, workDir });
      const { files, durationS } = await makePlayable(at.media.pipeline, source, async () => 0);
      const made = files[0]?.path ?? "";
      expect(durationS).toBeCloseTo(0.6, 0);
      expect(await compareFrames(at, sourcePath, made, 0)).toBeLessThan(8);
      expect(await comparePictures(at.media, sourcePath, made, 10)).toBeGreaterThan(0.95);
      expect(await correlateSound(at, sourcePath, made)).toBeGreaterThan(0.9);
    });
  });
}
