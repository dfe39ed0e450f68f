import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { encodeClip, keepBytes } from "#test/clip-cache.ts";
import { setEdits, type PlayedPart } from "#test/mp4-edits.ts";
import { createTestMedia, type TestMedia } from "../media.fixture.ts";
import { countedClip, readFrameNumbers, readSeconds } from "./edited.fixture.ts";
import { makePlayable } from "./playable.step.ts";
import { expectCompleteRun, runProcess } from "./process-run.fixture.ts";
import { scanSource } from "./process-video.ts";

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

const play = (fromS: number | null, lengthS: number, rate = 1): PlayedPart => ({
  fromS,
  lengthS,
  rate,
});
const frames = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, i) => from + i);
const repeat = <T>(value: T, count: number): T[] => Array.from({ length: count }, () => value);

interface Case {
  title: string;
  video: PlayedPart[];
  sound?: PlayedPart[];
  frames: number[];
  /** Second of the clip that is heard in each fifth of a second. */
  seconds: (number | null)[];
}

const cases: Case[] = [
  {
    title: "an end",
    video: [play(0, 3)],
    frames: frames(0, 30),
    seconds: [0, 1, 2].flatMap((second) => repeat(second, 5)),
  },
  {
    title: "a start and an end in the middle of a group of pictures",
    video: [play(1.4, 2)],
    frames: frames(14, 34),
    seconds: [...repeat(1, 3), ...repeat(2, 5), ...repeat(3, 2)],
  },
  {
    // The keyframe at 2 s is decoded before the frames in front of it.
    title: "a start just before a keyframe",
    video: [play(1.9, 1)],
    sound: [play(2, 1)],
    frames: frames(19, 29),
    seconds: repeat(2, 5),
  },
  {
    title: "the middle",
    video: [play(0, 2), play(5, 1)],
    frames: [...frames(0, 20), ...frames(50, 60)],
    seconds: [0, 1, 5].flatMap((second) => repeat(second, 5)),
  },
  {
    title: "all but parts that repeat in another order",
    video: [play(3, 1), play(1, 1), play(3, 1)],
    frames: [...frames(30, 40), ...frames(10, 20), ...frames(30, 40)],
    seconds: [3, 1, 3].flatMap((second) => repeat(second, 5)),
  },
  {
    title: "the start of the sound, which begins later",
    video: [play(2, 2)],
    sound: [play(null, 0.4), play(3, 1)],
    frames: frames(20, 40),
    seconds: [null, null, ...repeat(3, 5), null, null, null],
  },
  {
    title: "the start of the picture, which begins later",
    video: [play(null, 0.5), play(3, 1), play(null, 0.5), play(5, 0.4)],
    sound: [play(1, 2.4)],
    frames: [...repeat(30, 5), ...frames(30, 40), ...repeat(39, 5), ...frames(50, 54)],
    seconds: [...repeat(1, 5), ...repeat(2, 5), 3, 3],
  },
  {
    title: "the end of the sound alone",
    video: [play(0, 6)],
    sound: [play(0, 5.4)],
    frames: frames(0, 60),
    seconds: [...[0, 1, 2, 3, 4].flatMap((second) => repeat(second, 5)), 5, 5, null, null, null],
  },
  {
    title: "speeds that differ, and a frame that is held",
    video: [play(0, 1, 2), play(2, 1, 0.5), play(4, 1, 0)],
    sound: [play(0, 0.8, 2.5), play(null, 0.2), play(2, 1, 0.5), play(null, 1)],
    // At the average rate of its frames.
    frames: [
      ...frames(0, 20),
      ...frames(20, 25).flatMap((frame) => repeat(frame, 4)),
      ...repeat(40, 20),
    ],
    seconds: [0, 0, 1, 1, null, ...repeat(2, 5), ...repeat(null, 5)],
  },
];

const edit = (title: string, { video, sound = video }: Pick<Case, "video" | "sound">) =>
  countedClip().then((source) =>
    setEdits(`counted-${title.length}.mov`, source, (kind) => (kind === "vide" ? video : sound)),
  );

let runs = 0;

/** Makes the first playable file of a source. */
async function publish(sourcePath: string) {
  runs += 1;
  const workDir = path.join(at.folder, `early-${runs}`);
  const facts = await at.media.probe(sourcePath);
  await mkdir(workDir);
  const source = await scanSource(at.media.pipeline, {
    ...{ sourcePath, facts, workDir, signal: undefined },
  });
  const playable = await makePlayable(at.media.pipeline, source, async () => 0);
  return { facts, playable, file: playable.files[0]?.path ?? "" };
}

describe.concurrent("the first playable file of a source whose edit list cuts off", () => {
  test.each(cases)("$title", async (each) => {
    const { playable, file } = await publish(await edit(each.title, each));
    expect(playable.kind).toBe("quick");
    expect(await readFrameNumbers(at.media, file)).toEqual(each.frames);
    expect(await readSeconds(at.media, file)).toEqual(each.seconds);
    expect(playable.durationS).toBeCloseTo(each.seconds.length / 5, 1);
  });
});

test("follows the edit list of a fragmented file, which ffmpeg ignores", async () => {
  const source = await countedClip("counted-fragments.mp4", [
    ...["-movflags", "+frag_keyframe+delay_moov+default_base_moof"],
  ]);
  const cut = await setEdits("fragments-cut.mp4", source, () => [play(1, 1), play(4, 1)]);
  const { file } = await publish(cut);
  expect(await readFrameNumbers(at.media, file)).toEqual([...frames(10, 20), ...frames(40, 50)]);
  expect(await readSeconds(at.media, file)).toEqual([...repeat(1, 5), ...repeat(4, 5)]);
});

test("copies a source whose edit list only delays the sound", async () => {
  const delay = { video: [play(0, 6)], sound: [play(null, 0.3), play(0, 6)] };
  const { facts, playable } = await publish(await edit("a delay", delay));
  expect(playable.kind).toBe("copy");
  expect(facts).toMatchObject({ notices: [], video: { timeline: null } });
});

test("plays parts that follow each other as one", async () => {
  const parts = await edit("parts", { video: [play(0, 2), play(2, 4)], sound: [play(0, 6)] });
  const { facts, file } = await publish(parts);
  expect(facts.notices).toEqual([]);
  expect(await readFrameNumbers(at.media, file)).toEqual(frames(0, 60));
});

test("moves chapters with a jump of the timestamps that is removed", async () => {
  const starts = [0, 2, 303].map((startS) => `[CHAPTER]\nTIMEBASE=1/1\nSTART=${startS}\nEND=304\n`);
  const meta = Buffer.from(`;FFMETADATA1\n${starts.join("")}`);
  const source = await encodeClip("jump-chapters.mkv", [
    ...["-f", "lavfi", "-i", "testsrc2=s=64x64:r=10:d=5"],
    ...["-i", await keepBytes("jump-chapters.txt", meta), "-map", "0:v", "-map_metadata", "1"],
    ...["-vf", "setpts=if(gte(T\\,2.5)\\,PTS+300/TB\\,PTS)", "-fps_mode", "passthrough"],
    ...["-c:v", "libx264", "-bf", "0"],
  ]);
  const { playable } = await publish(source);
  expect(playable.durationS).toBeCloseTo(5, 0);
  expect(playable.chapters.map(({ startS }) => Math.round(startS * 10) / 10)).toEqual([0, 2, 3]);
});

test("follows the edit list in every output", async () => {
  const lines = await keepBytes(
    "counted.srt",
    [0, 1, 2, 3, 4, 5]
      .map((at) => `${at + 1}\n00:00:0${at},000 --> 00:00:0${at + 1},000\nline ${at}\n`)
      .join("\n"),
  );
  const chapter = (second: number) =>
    `[CHAPTER]\nTIMEBASE=1/1\nSTART=${second}\nEND=${second + 1}\ntitle=chapter ${second}\n`;
  const chapters = await keepBytes(
    "counted-chapters.txt",
    `;FFMETADATA1\n${[0, 1, 2, 3, 4, 5].map(chapter).join("")}`,
  );
  const source = await encodeClip("counted-texts.mov", [
    ...["-i", await countedClip(), "-i", lines, "-i", chapters, "-map", "0", "-map", "1"],
    ...["-map_chapters", "2", "-c", "copy", "-c:s", "mov_text"],
  ]);
  const cut = await setEdits("counted-texts-cut.mov", source, () => [play(1, 1), play(4.4, 1.6)]);
  const run = await runProcess(at, cut);
  await expectCompleteRun(at, run);
  const shown = [...frames(10, 20), ...frames(44, 60)];
  const rungs = run.all("hls_media").filter(({ width }) => width !== null);
  for (const { path: file } of [run.one("progressive"), run.one("progressive_small"), ...rungs]) {
    expect(await readFrameNumbers(at.media, file)).toEqual(shown);
  }
  const sound = run.all("hls_media").find(({ width }) => width === null);
  const heard = [...repeat(1, 5), ...repeat(4, 3), ...repeat(5, 5)];
  expect(await readSeconds(at.media, sound?.path ?? "")).toEqual(heard);
  expect(run.result.durationS).toBeCloseTo(2.6, 1);
  expect(
    run.texts.tracks[0]?.lines.map(({ text, startMs, endMs }) => [text, startMs, endMs]),
  ).toEqual([
    ["line 1", 0, 1000],
    ["line 4", 1000, 1600],
    ["line 5", 1600, 2600],
  ]);
  expect(run.facts.chapters).toEqual([
    { startS: 0, title: "chapter 1" },
    { startS: 1, title: "chapter 4" },
    { startS: 1.6, title: "chapter 5" },
  ]);
  const seen = new Set(shown);
  for (const role of ["poster", "thumbnail", "preview"] as const) {
    for (const number of await readFrameNumbers(at.media, run.one(role).path)) {
      expect([role, number, seen.has(number)]).toEqual([role, number, true]);
    }
  }
  expect(run.facts.notices).toEqual([
    "An edit list hides 3.4 s of the file. Only the original still contains the hidden parts.",
  ]);
});
