import { mkdtemp } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listArchiveSamples, mutate } from "#test/archive-samples.ts";
import { AppError } from "#server/lib/app-error.ts";
import { createTestMedia, type TestMedia } from "../media.fixture.ts";
import { makePlayable } from "./playable.step.ts";
import { compareFrames, correlateSound } from "./process-run.fixture.ts";
import { comparePictures } from "./read-streams.fixture.ts";
import { scanSource } from "./process-video.ts";

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

const samples = await listArchiveSamples();

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

  test.each(samples)(
    "refuses or reads a damaged file of $title within the limits",
    async (sample) => {
      const source = await sample.make();
      const file = await mutate(`damaged-${path.basename(source)}`, source);
      const outcome = await at.media.probe(file).then(
        () => "read",
        (error: unknown) => (error instanceof AppError ? error.code : error),
      );
      expect(["read", "unusable_video"]).toContain(outcome);
    },
  );
});
