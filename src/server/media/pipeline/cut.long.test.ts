import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { KeptPart } from "#contract/videos/kept-parts.ts";
import { encodeClip } from "#test/clip-cache.ts";
import { setEdits } from "#test/mp4-edits.ts";
import { createTestMedia, type TestMedia } from "../media.fixture.ts";
import { countedClip, readFrameNumbers, readSeconds } from "./edited.fixture.ts";
import { makePlayable } from "./playable.step.ts";
import { scanSource } from "./process-video.ts";

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

const part = (startS: number, endS: number): KeptPart => ({ startS, endS });
const frames = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, i) => from + i);
const repeat = <T>(value: T, count: number): T[] => Array.from({ length: count }, () => value);

let runs = 0;

/** Makes the first playable file of parts of a source. */
async function publish(sourcePath: string, keptParts: readonly KeptPart[]) {
  runs += 1;
  const workDir = path.join(at.folder, `cut-${runs}`);
  const facts = await at.media.probe(sourcePath);
  await mkdir(workDir);
  const source = await scanSource(at.media.pipeline, {
    ...{ sourcePath, facts, keptParts, workDir, signal: undefined },
  });
  const playable = await makePlayable(at.media.pipeline, source, async () => 0);
  const file = playable.files[0]?.path ?? "";
  return {
    kind: playable.kind,
    durationS: playable.durationS,
    frames: await readFrameNumbers(at.media, file),
    seconds: source.facts.audio === null ? null : await readSeconds(at.media, file),
  };
}

const twoParts = [part(1, 2), part(4.4, 6)];
const shown = [...frames(10, 20), ...frames(44, 60)];
const heard = [...repeat(1, 5), ...repeat(4, 3), ...repeat(5, 5)];

/** The counted clip in other containers and with other structures. */
const sources: Record<string, () => Promise<string>> = {
  "an MP4 without an edit list": () =>
    countedClip("counted-cut.mp4", ["-movflags", "+negative_cts_offsets"]),
  "an MP4 whose edit list skips priming": () => countedClip("counted-priming.mp4"),
  "a fragmented MP4": () =>
    countedClip("counted-cut-fragments.mp4", ["-movflags", "+frag_keyframe+delay_moov"]),
  "a Matroska file": () => countedClip("counted-cut.mkv"),
  "a Matroska file that starts late": () =>
    countedClip("counted-late.mkv", ["-output_ts_offset", "7.5"]),
  "a WebM file": () =>
    countedClip("counted-cut.webm", [
      ...["-c:v", "libvpx-vp9", "-crf", "20", "-b:v", "0", "-cpu-used", "8", "-g", "60"],
      ...["-c:a", "libopus"],
    ]),
  "a single group of pictures": () =>
    countedClip("counted-long-gop.mp4", ["-g", "999", "-bf", "5"]),
};

describe.concurrent("cuts to the frame", () => {
  test.each(Object.keys(sources))("%s", async (name) => {
    const source = (await sources[name]?.()) ?? "";
    expect(await publish(source, twoParts)).toMatchObject({
      kind: "quick",
      frames: shown,
      seconds: heard,
    });
  });
});

test.each([0, 2])(
  "cuts an AVI file with %i B-frames by the times of the whole",
  async (bFrames) => {
    const options = ["-c:v", "mpeg4", "-q:v", "2", "-bf", String(bFrames), "-g", "50"];
    const source = await countedClip(`counted-cut-${bFrames}.avi`, options);
    const whole = await publish(source, [part(0, 6)]);
    const result = await publish(source, twoParts);
    expect(result.frames).toEqual([...whole.frames.slice(10, 20), ...whole.frames.slice(44, 60)]);
    expect(result.seconds).toEqual(heard);
  },
);

test("cuts what an edit list plays", async () => {
  const edited = await setEdits("counted-cut-edited.mov", await countedClip(), () => [
    { fromS: 1, lengthS: 1, rate: 1 },
    { fromS: 3, lengthS: 3, rate: 1 },
  ]);
  // 0.5 to 2 s are 1.5 to 2 s and 3 to 4 s of the media.
  expect(await publish(edited, [part(0.6, 2), part(3, 3.4)])).toMatchObject({
    frames: [...frames(16, 20), ...frames(30, 40), ...frames(50, 54)],
    seconds: [...repeat(1, 2), ...repeat(3, 5), ...repeat(5, 2)],
  });
});

test("holds the last frame and is silent where a track has ended", async () => {
  const source = await encodeClip("counted-short-sound.mp4", [
    ...["-i", await countedClip(), "-map", "0:v", "-map", "0:a", "-c:v", "copy"],
    ...["-af", "atrim=end=3", "-c:a", "aac"],
  ]);
  expect(await publish(source, [part(0, 1), part(2, 5), part(5.5, 6)])).toMatchObject({
    frames: [...frames(0, 10), ...frames(20, 50), ...frames(55, 60)],
    seconds: [...repeat(0, 5), ...repeat(2, 5), ...repeat(null, 13)],
  });
});

test.each([
  ["no track continues", [], null],
  ["another track continues", ["-map", "0:a"], repeat(4, 5)],
])("leaves out tracks that have ended if %s", async (_, other, seconds) => {
  const source = await encodeClip(`counted-ended-${other.length}.mp4`, [
    ...["-i", await countedClip(), "-map", "0:v", "-map", "0:a", ...other, "-c:v", "copy"],
    ...["-filter:a:0", "atrim=end=2", "-c:a", "aac"],
  ]);
  const cut = publish(source, [part(4, 5)]);
  expect(await cut).toMatchObject({ frames: frames(40, 50), seconds });
});

test("cuts into parts of single frames", async () => {
  const parts = Array.from({ length: 29 }, (_, i) => part(i * 0.2, i * 0.2 + 0.1));
  const result = await publish(await countedClip("counted-cut.mkv"), parts);
  expect(result.frames).toEqual(parts.map((_, i) => i * 2));
});
