import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { encodeClip } from "#test/clip-cache.ts";
import { h264, picture, sampleVideos, tone } from "#test/sample-videos.ts";
import { createTestMedia, type TestMedia } from "../media.fixture.ts";
import {
  compareFrames,
  expectCompleteRun,
  processOnce,
  runProcess,
  type ProcessRun,
} from "./process-run.fixture.ts";
import { comparePictures, readPixels, readStreams } from "./read-streams.fixture.ts";

// Real encodes take long on a busy machine.
vi.setConfig({ maxConcurrency: 3 });

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

/** Counts tiles of a storyboard sheet that differ from all others in some pixels. */
async function countDistinctTiles(run: ProcessRun, columns: number, count: number) {
  const [sheet] = run.all("storyboard_sheet");
  const [width, height] = [sheet?.width ?? 0, sheet?.height ?? 0];
  const pixels = await readPixels(at.media, sheet?.path ?? "", 0, { width, height });
  const tile = (i: number): string => {
    const [x0, y0] = [(i % columns) * 160, Math.floor(i / columns) * 90];
    const samples = Array.from({ length: 400 }, (_, k) =>
      pixels(x0 + 8 * (k % 20), y0 + 4 * Math.floor(k / 20)),
    );
    return samples.flat().join();
  };
  return new Set(Array.from({ length: count }, (_, i) => tile(i))).size;
}

describe.concurrent("all outputs of samples", () => {
  test.each([
    ["interlaced", "768x576", 12],
    ["oddSize", "160x120", 6],
    ["oneFrame", "320x180", 3],
    ["fullChroma", "320x180", 6],
    ["alpha", "320x180", 6],
    ["zeroMatrix", "320x180", 6],
    ["truncated", "320x180", 12],
  ] as const)("%s", async (name, size, difference) => {
    const source = await sampleVideos[name].make();
    const run = await processOnce(at, source);
    await expectCompleteRun(at, run);
    const [top] = run.all("hls_media");
    expect(`${top?.width}x${top?.height}`).toBe(size);
    expect(await compareFrames(at, source, top?.path ?? "", 0)).toBeLessThan(difference);
  });

  test("encodes a source that has one keyframe with one every 2 s and makes a storyboard", async () => {
    const run = await processOnce(at, await sampleVideos.rareKeyframes.make());
    await expectCompleteRun(at, run);
    const playlist = await readFile(run.all("hls_playlist")[0]?.path ?? "", "utf8");
    const lengths = [...playlist.matchAll(/^#EXTINF:([\d.]+)/gm)].map(([, s]) => Number(s));
    expect(lengths).toHaveLength(12);
    for (const length of lengths) expect(length).toBeCloseTo(2, 1);
    expect(run.all("storyboard_sheet")).toMatchObject([{ width: 1600, height: 180 }]);
    const vtt = await readFile(run.one("storyboard").path, "utf8");
    expect(vtt.match(/#xywh=/g)).toHaveLength(12);
    // The picture shows a running clock.
    expect(await countDistinctTiles(run, 10, 12)).toBe(12);
  });

  test("converts a variable frame rate to a constant one with the same duration", async () => {
    const run = await processOnce(at, await sampleVideos.variableRate.make());
    await expectCompleteRun(at, run);
    const { video, durationS } = await readStreams(at.media, run.one("progressive_small").path);
    expect(video.avg_frame_rate).toBe(video.r_frame_rate);
    expect(durationS).toBeCloseTo(run.facts.durationS, 0);
  });

  test("removes a timestamp jump from every file", async () => {
    const run = await processOnce(at, await sampleVideos.jump.make());
    await expectCompleteRun(at, run);
    expect(run.result.durationS).toBeCloseTo(2, 0);
    for (const file of [run.one("progressive"), run.one("progressive_small")]) {
      expect((await readStreams(at.media, file.path)).durationS).toBeLessThan(2.5);
    }
  });

  test("finds the pictures after a timestamp jump", async () => {
    const source = await encodeClip("early-jump.mkv", [
      ...[...picture("320x180", 12), "-fps_mode", "vfr", ...h264],
      ...["-vf", "setpts=PTS+gte(T\\,1)*100/TB"],
    ]);
    const run = await runProcess(at, source, { done: new Set(["captions", "ladder", "extras"]) });
    expect(run.result.durationS).toBeCloseTo(12, 0);
    const played = await encodeClip("after-jump.mp4", [
      ...[...picture("320x180", 12), "-ss", "3", "-t", "3", ...h264],
    ]);
    const likeness = await comparePictures(at.media, played, run.one("preview").path, 5);
    expect(likeness).toBeGreaterThan(0.9);
    const job = { sourcePath: source, facts: run.facts, workDir: at.folder };
    const hashes = await at.media.fingerprint(job);
    const frames = Array.from({ length: 10 }, (_, i) => hashes.toString("hex", i * 8, i * 8 + 8));
    expect(new Set(frames).size).toBeGreaterThan(5);
  });

  test("holds the last frame if the audio is longer", async () => {
    const source = await encodeClip("long-audio.mp4", [
      ...[...picture("320x180", 0.04), ...tone(5), ...h264, "-c:a", "aac"],
    ]);
    const run = await processOnce(at, source);
    await expectCompleteRun(at, run);
    const { video, audio } = await readStreams(at.media, run.one("progressive_small").path);
    expect(video.duration).toBeCloseTo(5, 0);
    expect(audio?.duration).toBeCloseTo(5, 0);
  });
});
