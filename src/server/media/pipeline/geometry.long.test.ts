import { mkdtemp } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encodeClip, keepBytes } from "#test/clip-cache.ts";
import { setMatrix } from "#test/mp4-edits.ts";
import { aac, h264, tone } from "#test/sample-videos.ts";
import { createTestMedia, type TestMedia } from "../media.fixture.ts";
import { makeLadder } from "./ladder.step.ts";
import { makePlayable } from "./playable.step.ts";
import { correlateSound } from "./process-run.fixture.ts";
import { scanSource } from "./process-video.ts";
import { readPixels, readSound, readStreams } from "./read-streams.fixture.ts";

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

/** Returns ffmpeg input arguments for a red, green, blue and yellow quarter, from the top left. */
function quarters(size: string, durationS: number): string[] {
  const [red, lime, blue, yellow] = ["red", "lime", "blue", "yellow"].map(
    (color, i) => `color=${color}:s=${size}:r=10:d=${durationS}[c${i}]`,
  );
  const stack = "[c0][c1]hstack[a];[c2][c3]hstack[b];[a][b]vstack";
  return ["-f", "lavfi", "-i", [red, lime, blue, yellow, stack].join(";")];
}

/** Returns the colors of the quarters, such as "RGBY", and "-" for black. */
async function readQuarters(file: string, atS = 0): Promise<string> {
  const { video } = await readStreams(at.media, file);
  const { width = 0, height = 0 } = video;
  const pixel = await readPixels(at.media, file, atS, { width, height });
  return [0.25, 0.75]
    .flatMap((y) => [0.25, 0.75].map((x) => pixel(Math.floor(x * width), Math.floor(y * height))))
    .map(([r, g, b]) => (r > 128 ? (g > 128 ? "Y" : "R") : g > 128 ? "G" : b > 128 ? "B" : "-"))
    .join("");
}

async function scan(sourcePath: string) {
  const facts = await at.media.probe(sourcePath);
  const workDir = await mkdtemp(path.join(at.folder, "geometry-"));
  return scanSource(at.media.pipeline, { sourcePath, facts, workDir });
}

const one = 0x10000;

describe.concurrent("mirrored films", () => {
  test.each([
    ["left to right", [-one, 0, 0, one], "64x36", "GRYB"],
    ["top to bottom", [one, 0, 0, -one], "64x36", "BYRG"],
    ["transposed", [0, one, one, 0], "36x64", "RBGY"],
    ["transposed the other way", [0, -one, -one, 0], "36x64", "YGBR"],
  ])(
    "shows one as its matrix says: %s",
    async (name, [a = 0, b = 0, c = 0, d = 0], size, shown) => {
      const plain = await encodeClip("quarters.mp4", [
        ...[...quarters("32x18", 0.5), ...tone(0.5), ...h264, ...aac],
      ]);
      const file = `${name.replaceAll(" ", "-")}.mp4`;
      const source = await scan(await setMatrix(file, plain, [a, b, 0, c, d, 0, 0, 0, 0x40000000]));
      const made = await makePlayable(at.media.pipeline, source, async () => 0);
      // Firefox would show a copy unmirrored.
      expect(made).toMatchObject({ kind: "quick", files: [{ name: "quick-36.mp4" }] });
      expect(`${made.width}x${made.height}`).toBe(size);
      expect(await readQuarters(made.files[0]?.path ?? "")).toBe(shown);
    },
  );
});

test("adds bars after a turn in the middle of a recording and keeps its sound", async () => {
  const part = (name: string, size: string) =>
    encodeClip(name, [
      ...[...quarters(size, 2), ...h264, "-g", "10", "-bsf:v", "dump_extra", "-f", "matroska"],
    ]);
  const parts = [await part("wide.mkv", "64x36"), await part("tall.mkv", "36x64")];
  const list = await keepBytes("turn.txt", parts.map((file) => `file '${file}'\n`).join(""));
  const source = await scan(
    await encodeClip("turn.mkv", [
      ...["-f", "concat", "-safe", "0", "-i", list],
      ...["-f", "lavfi", "-i", "aevalsrc=sin(2*PI*(200+100*t)*t):d=4:s=48000"],
      ...["-map", "0", "-map", "1", "-c:v", "copy", ...aac],
    ]),
  );
  const made = await makeLadder(at.media.pipeline, source, {
    ...{ crf: 23, gainDb: 0, normalizesLoudness: false },
  });
  const [picture = "", sound = ""] = made.files
    .filter(({ role }) => role === "hls_media")
    .map((file) => file.path);
  expect([await readQuarters(picture, 1), await readQuarters(picture, 3)]).toEqual([
    "RGBY",
    "----",
  ]);
  const { video } = await readStreams(at.media, picture);
  expect([video.width, video.height]).toEqual([128, 72]);
  const lengthOf = async (file: string) => (await readSound(at.media, file, 1000)).length / 1000;
  expect(await lengthOf(sound)).toBeCloseTo(await lengthOf(source.sourcePath), 1);
  expect(await correlateSound(at, source.sourcePath, sound)).toBeGreaterThan(0.95);
});

test("says that renditions of a strip are smaller, although the strip itself is copied", async () => {
  const source = await scan(
    await encodeClip("strip.mp4", [...quarters("1000x8", 0.5), ...h264, "-g", "5"]),
  );
  const playable = await makePlayable(at.media.pipeline, source, async () => 0);
  expect(playable).toMatchObject({ kind: "copy", notices: [] });
  const choice = { gainDb: 0, crf: 30, normalizesLoudness: false };
  const { notices, rungs } = await makeLadder(at.media.pipeline, source, choice);
  expect(rungs).toEqual([{ width: 48, height: 16 }]);
  expect(notices).toEqual(["The picture is reduced from 2000 x 16 to 48 x 16."]);
});
