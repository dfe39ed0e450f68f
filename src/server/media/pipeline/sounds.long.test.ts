import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { encodeClip } from "#test/clip-cache.ts";
import { severalSounds } from "#test/sample-videos.ts";
import { createTestMedia, type TestMedia } from "../media.fixture.ts";
import { correlateSound, expectCompleteRun, runProcess } from "./process-run.fixture.ts";

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

test("includes all audio tracks in the ladder", async () => {
  const source = await severalSounds();
  const run = await runProcess(at, source);
  await expectCompleteRun(at, run);
  expect(run.facts.notices).toEqual([]);
  expect(run.sounds).toEqual([
    { name: "English", language: "en", kind: "main", channels: 2 },
    { name: "Deutsch (dub)", language: "de", kind: "dub", channels: 2 },
    { name: "English (audio description)", language: "en", kind: "description", channels: 2 },
    { name: "English 5.1", language: "en", kind: "main", channels: 6 },
  ]);
  const folder = path.dirname(run.one("hls_master").path);
  const files = ["audio", "audio-2", "audio-3", "audio-surround"];
  for (const [i, file] of files.entries()) {
    const track = await encodeClip(`track-${i}.mka`, [
      ...["-i", source, "-map", `0:a:${i % 3}`, "-c", "copy"],
    ]);
    expect(await correlateSound(at, track, path.join(folder, `${file}.mp4`))).toBeGreaterThan(0.9);
    const other = path.join(folder, `${files[(i + 1) % 3]}.mp4`);
    expect(await correlateSound(at, track, other)).toBeLessThan(0.5);
  }
  const master = await readFile(run.one("hls_master").path, "utf8");
  expect(master.match(/TYPE=AUDIO/g)).toHaveLength(4);
  expect(master.match(/CHANNELS="6"/g)).toHaveLength(1);
});
