import { expect, test } from "vitest";
import {
  exampleAbilities as abilities,
  exampleFacts,
  exampleScan,
  valueAfter,
} from "../facts/example-facts.fixture.ts";
import { copyArgs, planPlayable, playsEncoded, quickArgs } from "./playable.ts";
import { planQuickRung } from "./rungs.ts";

test("copies a source that every browser plays with its audio", () => {
  expect(planPlayable(exampleFacts(), exampleScan)).toEqual({ kind: "copy", audio: "copy" });
  expect(planPlayable(exampleFacts({ audio: null }), exampleScan)).toEqual({
    kind: "copy",
    audio: "none",
  });
  const turned = exampleFacts({ video: { rotationDeg: 90, pixelFormat: "yuvj420p" } });
  expect(planPlayable(turned, exampleScan)).toEqual({ kind: "copy", audio: "copy" });
});

test("copies the video and encodes audio that browsers don't play", () => {
  const named = { language: null, title: null, kind: "main" } as const;
  const sound = { hasSeveralConfigs: false, isMixable: true, index: 2, sampleRate: 48_000 };
  const audio = { ...sound, startS: 0, endS: 60, timeline: null, ...named };
  for (const [codec, profile, channels] of [
    ["pcm_s16le", null, 2],
    ["ac3", null, 2],
    ["aac", "LC", 6],
    ["aac", "Main", 2],
  ] as const) {
    const facts = exampleFacts({ audio: { ...audio, codec, profile, channels } });
    expect(planPlayable(facts, exampleScan)).toEqual({ kind: "copy", audio: "encode" });
    const args = copyArgs(facts, "/in", { audio: "encode" }, "/out.mp4");
    expect(valueAfter(args, "-c:v")).toBe("copy");
    expect(valueAfter(args, "-c:a")).toBe("aac");
    expect(valueAfter(args, "-filter_complex")).toMatch(/^\[0:2\]aresample=/);
  }
});

test("encodes audio of joined recordings", () => {
  const { audio } = exampleFacts();
  const facts = exampleFacts({ audio: audio && { ...audio, hasSeveralConfigs: true } });
  expect(planPlayable(facts, exampleScan)).toEqual({ kind: "copy", audio: "encode" });
});

test("encodes audio with gaps, which Chromium would skip", () => {
  const plan = (soundDriftS: number) =>
    planPlayable(exampleFacts(), { ...exampleScan, soundDriftS });
  expect(plan(0.1)).toEqual({ kind: "copy", audio: "copy" });
  expect(plan(0.3)).toEqual({ kind: "copy", audio: "encode" });
});

test.each([
  ["codec", exampleFacts({ video: { codec: "hevc" } }), exampleScan],
  ["container", exampleFacts({ container: "avi" }), exampleScan],
  ["10 bits", exampleFacts({ video: { pixelFormat: "yuv420p10le" } }), exampleScan],
  ["4:4:4", exampleFacts({ video: { pixelFormat: "yuv444p" } }), exampleScan],
  ["profile", exampleFacts({ video: { profile: "High 4:2:2" } }), exampleScan],
  ["pixel ratio", exampleFacts({ video: { sar: { num: 4, den: 3 } } }), exampleScan],
  ["mirrored", exampleFacts({ video: { displayMatrix: "unusual" } }), exampleScan],
  ["turned by 45 degrees", exampleFacts({ video: { displayMatrix: "ignored" } }), exampleScan],
  ["joined recordings", exampleFacts({ video: { hasSeveralConfigs: true } }), exampleScan],
  ["interlaced", exampleFacts({ video: { isInterlaced: true } }), exampleScan],
  ["HDR", exampleFacts({ video: { isHdr: true } }), exampleScan],
  ["8K", exampleFacts({ video: { codedWidth: 7680, codedHeight: 4320 } }), exampleScan],
  ["truncated", exampleFacts({ isTruncated: true }), exampleScan],
  ["damaged", exampleFacts({ video: { isCleanStart: false } }), exampleScan],
  ["rare keyframes", exampleFacts(), { ...exampleScan, maxKeyframeGapS: 11 }],
])("doesn't copy: %s", (_, facts, scan) => {
  expect(planPlayable(facts, scan).kind).toBe("quick");
});

test("writes a copy without metadata that starts with its index", () => {
  const args = copyArgs(exampleFacts(), "/in", { audio: "copy" }, "/out.mp4");
  expect(valueAfter(args, "-map_metadata")).toBe("-1");
  expect(valueAfter(args, "-map_chapters")).toBe("-1");
  expect(args).toContain("-sn");
  expect(args).toContain("-dn");
  expect(valueAfter(args, "-movflags")).toBe("+faststart");
});

test("makes a quick rendition of one H.264 stream, stereo AAC, no longer than its source", () => {
  const facts = exampleFacts({ video: { codec: "hevc" } });
  const args = quickArgs(
    facts,
    "/in",
    { rung: planQuickRung(1920, 1080, 25), fps: { num: 25, den: 1 }, threads: 2, abilities },
    "/out.mp4",
  );
  expect(valueAfter(args, "-c:v:0")).toBe("libx264");
  expect(valueAfter(args, "-c:a")).toBe("aac");
  expect(valueAfter(args, "-t")).toBe("61.000");
  expect(valueAfter(args, "-filter_complex")).toContain("pad=854:480");
});

test("holds the last frame if the audio is longer and adds silence if the video is longer", () => {
  const plan = {
    rung: planQuickRung(1920, 1080, 25),
    fps: { num: 25, den: 1 },
    threads: 2,
    abilities,
  };
  const sound = exampleFacts().audio;
  const short = exampleFacts({ video: { endS: 0.04 } });
  expect(valueAfter(quickArgs(short, "/i", plan, "/o"), "-filter_complex")).toContain(
    "tpad=stop_mode=clone:stop_duration=59.960",
  );
  const silent = exampleFacts({ audio: sound === null ? null : { ...sound, endS: 30 } });
  const graphs = quickArgs(silent, "/i", plan, "/o").filter((arg) => arg.startsWith("[0:"));
  expect(graphs).toEqual([
    expect.not.stringContaining("[a]"),
    expect.stringMatching(/^\[0:1\].*apad=whole_dur=60\.000\[a\]$/),
  ]);
});

test.each([
  [1080, 1920, 60, true],
  [4096, 2304, 30, true],
  [7680, 4320, 30, false],
  [1920, 1080, 120, false],
])("says whether browsers play %i x %i at %i frames per second", (width, height, num, plays) => {
  expect(playsEncoded({ width, height }, { num, den: 1 })).toBe(plays);
});
