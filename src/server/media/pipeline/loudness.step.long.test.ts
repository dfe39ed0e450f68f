import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encodeClip } from "#test/clip-cache.ts";
import { h264, picture } from "#test/sample-videos.ts";
import { createTestMedia, type TestMedia } from "../media.fixture.ts";
import { measureLoudness } from "./loudness.step.ts";
import { runProcess } from "./process-run.fixture.ts";

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

/** Encodes a stereo tone whose volume is set by `filter`. */
const clip = (name: string, filter: string, codec: readonly string[] = ["-c:a", "aac"]) =>
  encodeClip(name, [
    ...picture("160x90", 2, 10),
    ...["-f", "lavfi", "-i", `sine=f=1000:d=2,pan=stereo|c0=c0|c1=c0,${filter}`],
    ...[...h264, "-g", "10", ...codec],
  ]);

/** Steps that don't touch audio. */
const withoutPictures = { done: new Set(["captions", "pictures"] as const) };

async function loudnessOf(file: string | undefined) {
  const facts = await at.media.probe(file ?? "");
  if (facts.audio === null) throw new Error("no sound");
  const source = { facts, sourcePath: file ?? "", signal: undefined };
  return measureLoudness(at.media.pipeline, source, facts.audio);
}

describe.concurrent("loudness", () => {
  test("lowers loud audio in the ladder, and copies it unchanged", async () => {
    const source = await clip("loud.mp4", "volume=14dB");
    const run = await runProcess(at, source, withoutPictures);
    expect(run.loudness?.integratedLufs).toBeGreaterThan(-8);
    expect(run.all("progressive")).toHaveLength(1);
    const [copied, small] = await Promise.all([
      loudnessOf(run.one("progressive").path),
      loudnessOf(run.one("progressive_small").path),
    ]);
    expect(copied?.integratedLufs).toBeCloseTo(run.loudness?.integratedLufs ?? 0, 0);
    expect(Math.abs((small?.integratedLufs ?? 0) + 14)).toBeLessThan(0.5);
  });

  test("replaces a quiet copy with one that has louder audio", async () => {
    const source = await clip("quiet.mp4", "volume=-8dB");
    const run = await runProcess(at, source, withoutPictures);
    expect(run.loudness?.integratedLufs).toBeLessThan(-22);
    for (const file of [run.all("progressive").at(-1), run.one("progressive_small")]) {
      expect(Math.abs(((await loudnessOf(file?.path))?.integratedLufs ?? 0) + 14)).toBeLessThan(
        0.5,
      );
    }
  });

  test("encodes the first playable file's audio at the right loudness", async () => {
    const source = await clip("loud.mkv", "volume=14dB", ["-c:a", "ac3"]);
    const run = await runProcess(at, source, { done: new Set(["pictures", "ladder", "extras"]) });
    const made = await loudnessOf(run.one("progressive").path);
    expect(Math.abs((made?.integratedLufs ?? 0) + 14)).toBeLessThan(0.5);
  });

  test("raises audio only until its peaks reach the limit", async () => {
    const quietWithClick = "if(between(t,1,1.0005),0.95,0.02)*sin(2*PI*1000*t)";
    const source = await encodeClip("click.mkv", [
      ...[...picture("160x90", 2, 10), "-f", "lavfi"],
      ...["-i", `aevalsrc='${quietWithClick}|${quietWithClick}':d=2:s=48000`],
      ...[...h264, "-g", "10", "-c:a", "pcm_s16le"],
    ]);
    const run = await runProcess(at, source, { done: new Set(["pictures", "ladder", "extras"]) });
    const made = await loudnessOf(run.one("progressive").path);
    expect(made?.truePeakDb).toBeLessThan(0);
    expect(made?.integratedLufs).toBeLessThan(-25);
  });

  test("plays mono as loud in the ladder as in a copy", async () => {
    const mono = await encodeClip("mono.mp4", [
      ...[...picture("160x90", 2, 10), "-f", "lavfi", "-i", "sine=f=1000:d=2"],
      ...[...h264, "-g", "10", "-c:a", "aac"],
    ]);
    const stereo = await clip("stereo.mp4", "anull");
    const [one, two] = await Promise.all([loudnessOf(mono), loudnessOf(stereo)]);
    expect(Math.abs((one?.integratedLufs ?? 0) - (two?.integratedLufs ?? 9))).toBeLessThan(0.3);
  });

  test("changes no file if the site keeps loudness unchanged, and doesn't measure silence", async () => {
    const kept = await runProcess(at, await clip("loud.mp4", "volume=14dB"), {
      ...withoutPictures,
      normalizesLoudness: false,
    });
    const small = await loudnessOf(kept.one("progressive_small").path);
    expect(small?.integratedLufs).toBeCloseTo(kept.loudness?.integratedLufs ?? 0, 0);
    const silent = await runProcess(at, await clip("silent.mp4", "volume=0"), withoutPictures);
    expect(silent.loudness).toBeNull();
  });
});
