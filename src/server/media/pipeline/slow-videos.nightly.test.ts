import { mkdtemp } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { encodeClip } from "#test/clip-cache.ts";
import { h264 } from "#test/sample-videos.ts";
import { createTestMedia, type TestMedia } from "../media.fixture.ts";
import { makePictures } from "./pictures.step.ts";
import { scanSource } from "./process-video.ts";
import { readPixels } from "./read-streams.fixture.ts";
import { verifyOutput } from "./verify-output.ts";

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

/** Makes slides of equal length in these colors. */
const makeSlides = (name: string, slideS: number, colors: readonly string[]) =>
  encodeClip(name, [
    ...colors.flatMap((color) => [
      ...["-f", "lavfi", "-i", `color=${color}:s=64x36:r=1/${slideS}:d=${slideS}`],
    ]),
    ...["-filter_complex", `concat=n=${colors.length}`, ...h264],
  ]);

test.each([
  ["slides", 4, ["red", "lime", "blue", "yellow"]],
  ["a time lapse", 2, ["red", "lime", "blue", "yellow", "red", "lime"]],
  ["a single frame that lasts", 12, ["lime"]],
])("makes pictures and a preview of %s", async (title, slideS, colors) => {
  const sourcePath = await makeSlides(`${title.replaceAll(" ", "-")}.mp4`, slideS, colors);
  const facts = await at.media.probe(sourcePath);
  const workDir = await mkdtemp(path.join(at.folder, "slow-"));
  const source = await scanSource(at.media.pipeline, { sourcePath, facts, workDir });
  const { files, fingerprint } = await makePictures(at.media.pipeline, source, null);
  await verifyOutput(at.media.pipeline, source, files);
  expect(files.map(({ role }) => role)).toEqual(
    expect.arrayContaining(["poster", "thumbnail", "preview"]),
  );
  expect(fingerprint.length).toBeGreaterThan(0);
  // The preview starts at a quarter, in the middle of a slide or at its start.
  const startS = Math.min(facts.durationS / 4, facts.durationS - 3);
  const preview = files.find(({ role }) => role === "preview")?.path ?? "";
  const pixel = await readPixels(at.media, preview, 0, { width: 4, height: 4 });
  const [r, g, b] = pixel(1, 1);
  const shown = r > 128 ? (g > 128 ? "yellow" : "red") : g > 128 ? "lime" : b > 128 ? "blue" : "";
  expect(shown).toBe(colors[Math.floor(startS / slideS)]);
});
