import { expect, test } from "vitest";
import {
  exampleAbilities as abilities,
  exampleFacts,
  valueAfter,
} from "../facts/example-facts.fixture.ts";
import { ladderArgs } from "./ladder.ts";
import { planRungs } from "./rungs.ts";
import { planSounds } from "./sounds.ts";

const fps = { num: 30000, den: 1001 };
const rungs = planRungs(1920, 1080, 29.97).map((rung) => ({ ...rung, crf: 25 }));
const sounds = planSounds(exampleFacts()).map((sound) => ({ ...sound, gainDb: 0 }));

test("uses one decoder, one conversion, a scaler per lower rung and one audio encoder", () => {
  const args = ladderArgs(exampleFacts(), "/in", { rungs, sounds, fps, threads: 2, abilities });
  const graph = valueAfter(args, "-filter_complex")?.split(";") ?? [];
  expect(graph).toHaveLength(6);
  expect(graph[1]).toMatch(/^\[0:0\].*,split=5\[v0\]\[s1\]\[s2\]\[s3\]\[s4\]$/);
  expect(graph[4]).toBe("[s3]scale=640:360,setsar=1[v3]");
  expect(args.findLast((arg) => arg.startsWith("[0:"))).toMatch(/^\[0:1\]aresample.*\[a0\]$/);
  expect(args.filter((arg) => arg === "-i")).toHaveLength(1);
  expect(valueAfter(args, "-var_stream_map")).toBe(
    "v:0,agroup:sound,name:v1080 v:1,agroup:sound,name:v720 " +
      "v:2,agroup:sound,name:v480 v:3,agroup:sound,name:v360 v:4,agroup:sound,name:v240 " +
      "a:0,agroup:sound,name:audio",
  );
});

test("puts a keyframe every two seconds into every rung", () => {
  const args = ladderArgs(exampleFacts(), "/in", { rungs, sounds, fps, threads: 2, abilities });
  for (const i of rungs.keys()) {
    expect(valueAfter(args, `-g:v:${i}`)).toBe("60");
    expect(valueAfter(args, `-sc_threshold:v:${i}`)).toBe("0");
    expect(valueAfter(args, `-force_key_frames:v:${i}`)).toBe("expr:gte(t,n_forced*2)");
    expect(valueAfter(args, `-crf:v:${i}`)).toBe("25");
  }
});

test("uses no split for one rung, and no audio group for a silent source", () => {
  const args = ladderArgs(exampleFacts({ audio: null }), "/in", {
    rungs: planRungs(320, 180, 25).map((rung) => ({ ...rung, crf: 23 })),
    sounds: [],
    fps,
    threads: 2,
    abilities,
  });
  expect(valueAfter(args, "-filter_complex")).not.toContain("split");
  expect(valueAfter(args, "-var_stream_map")).toBe("v:0,name:v180");
  expect(args).not.toContain("[a0]");
});

test("encodes the same rungs in AV1 with even keyframes, without x264 options", () => {
  const args = ladderArgs(exampleFacts(), "/in", {
    rungs,
    sounds: [],
    fps,
    threads: 2,
    abilities,
    isAv1: true,
  });
  for (const i of rungs.keys()) {
    expect(valueAfter(args, `-c:v:${i}`)).toBe("libsvtav1");
    expect(valueAfter(args, `-g:v:${i}`)).toBe("60");
  }
  expect(args.join(" ")).not.toMatch(/libx264|maxrate|profile|sc_threshold/);
});
