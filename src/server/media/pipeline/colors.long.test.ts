import { mkdtemp } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encodeClip } from "#test/clip-cache.ts";
import {
  drawFields,
  fieldCenters,
  fields,
  makeColorClip,
  makeHdrClip,
  type ColorSource,
  type Rgb,
} from "#test/color-clips.ts";
import { declareDolbyVision } from "#test/mp4-edits.ts";
import { h264 } from "#test/sample-videos.ts";
import { createTestMedia, type TestMedia } from "../media.fixture.ts";
import { makePlayable } from "./playable.step.ts";
import { scanSource } from "./process-video.ts";
import { readColorNames, readPixels, readStreams } from "./read-streams.fixture.ts";

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

async function publish(sourcePath: string) {
  const facts = await at.media.probe(sourcePath);
  const workDir = await mkdtemp(path.join(at.folder, "colors-"));
  const source = await scanSource(at.media.pipeline, { sourcePath, facts, workDir });
  const made = await makePlayable(at.media.pipeline, source, async () => 0);
  return { kind: made.kind, notices: made.notices, path: made.files[0]?.path ?? "" };
}

async function readFields(file: string): Promise<Rgb[]> {
  const { video } = await readStreams(at.media, file);
  const { width = 0, height = 0 } = video;
  const pixel = await readPixels(at.media, file, 0, { width, height });
  return fieldCenters.map(({ x, y }) => pixel(Math.round(x * width), Math.round(y * height)));
}

/** Returns the largest difference between two colors, 0 to 255. */
const distance = (a: Rgb, b: Rgb | undefined): number =>
  Math.max(...a.map((value, i) => Math.abs(value - (b?.[i] ?? 0))));

const yuv = { size: "96x48", pixelFormat: "yuv420p", encoder: h264 } as const;

describe.concurrent("names of colors", () => {
  test.each<[string, ColorSource, "copy" | "quick", string]>([
    [
      "a copy that names none",
      { ...yuv, name: "untagged.mp4", matrix: "bt601" },
      ...(["copy", "smpte170m"] as const),
    ],
    [
      "a copy that names only its matrix",
      { ...yuv, name: "only-matrix.mp4", matrix: "bt709", declared: { matrix: "bt709" } },
      ...(["copy", "bt709"] as const),
    ],
    [
      "a rendition of RGB",
      {
        ...{ name: "rgb.mkv", size: "96x48", pixelFormat: "rgb24" },
        encoder: ["-c:v", "libx264rgb", "-preset", "ultrafast", "-qp", "4"],
      },
      ...(["quick", "bt709"] as const),
    ],
    [
      "a rendition in full range with another matrix",
      {
        ...{ ...yuv, name: "fcc.mp4", pixelFormat: "yuv444p", matrix: "fcc", isFullRange: true },
        ...{ encoder: ["-c:v", "libx264"], declared: { matrix: "fcc" } },
      },
      ...(["quick", "bt709"] as const),
    ],
  ])("writes them into %s and keeps its colors", async (_, source, kind, matrix) => {
    const made = await publish(await makeColorClip(source));
    expect(made.kind).toBe(kind);
    expect(await readColorNames(at.media, made.path)).toBe(`tv ${matrix} ${matrix} ${matrix}`);
    const shown = await readFields(made.path);
    expect(fields.filter((color, i) => distance(color, shown[i]) > 12)).toEqual([]);
  });
});

test("keeps the colors of a palette", async () => {
  const palette = "split[a][b];[a]palettegen=reserve_transparent=0[p];[b][p]paletteuse=dither=none";
  const source = await encodeClip("palette.mov", [
    ...["-f", "lavfi", "-i", drawFields({ width: 96, height: 48 }, "5", 1)],
    ...["-vf", palette, "-c:v", "png", "-pix_fmt", "pal8"],
  ]);
  const made = await publish(source);
  const shown = await readFields(made.path);
  expect(fields.filter((color, i) => distance(color, shown[i]) > 8)).toEqual([]);
});

describe.concurrent("HDR in standard range", () => {
  test.each(["pq", "hlg"] as const)("shows %s as bright as its master", async (kind) => {
    const made = await publish(await makeHdrClip(kind));
    expect(await readColorNames(at.media, made.path)).toBe("tv bt709 bt709 bt709");
    const shown = await readFields(made.path);
    // White at 255 of 255 would leave no room for highlights.
    expect(shown[5]?.[1]).toBeGreaterThan(190);
    expect(shown[5]?.[1]).toBeLessThan(215);
    for (const [i, color] of fields.slice(0, 5).entries()) {
      expect(distance(color, shown[i])).toBeLessThan(0.12 * 255);
    }
  });

  test("converts Dolby Vision without a base layer and says so", async () => {
    const made = await publish(
      await declareDolbyVision("profile-5.mp4", await makeHdrClip("dolby-vision"), 5),
    );
    expect(made.notices).toEqual([expect.stringMatching(/^This is a Dolby Vision video/)]);
    const shown = await readFields(made.path);
    for (const [i, color] of fields.slice(0, 5).entries()) {
      expect(distance(color, shown[i])).toBeLessThan(0.12 * 255);
    }
  });
});
