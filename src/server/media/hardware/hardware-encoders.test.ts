import { expect, test } from "vitest";
import { exampleFacts } from "../plan/example-facts.fixture.ts";
import { ladderArgs } from "../plan/ladder.ts";
import { quickArgs } from "../plan/playable.ts";
import { planQuickRung, planRungs } from "../plan/rungs.ts";
import { hardwareEncoders, toHardware } from "./hardware-encoders.ts";

const fps = { num: 25, den: 1 };
const abilities = { hasZscale: true, hasDeinterlacer: true };
const facts = exampleFacts({ audio: null });
const encoderOf = (name: string) => {
  const encoder = hardwareEncoders.find((each) => each.name === name);
  if (encoder === undefined) throw new Error(`no encoder ${name}`);
  return encoder;
};

const quick = quickArgs(
  facts,
  "/in",
  { rung: planQuickRung(1920, 1080, 25), fps, threads: 2, abilities },
  "/out.mp4",
);
const valueOf = (args: string[], option: string) => args[args.indexOf(option) + 1];

test.each(hardwareEncoders)("the options of libx264 give way to those of $codec", (encoder) => {
  const args = toHardware(quick, encoder);
  expect(valueOf(args, "-c:v:0")).toBe(encoder.codec);
  expect(args).not.toContain("libx264");
  expect(args).not.toContain("-crf:v:0");
  expect(args).not.toContain("-sc_threshold:v:0");
  // Players switch at keyframes: there is one every two seconds all the same.
  expect(valueOf(args, "-force_key_frames:v:0")).toBe("expr:gte(t,n_forced*2)");
  expect(valueOf(args, "-g:v:0")).toBe("50");
  expect(args.at(-1)).toBe("file:/out.mp4");
  expect(args.slice(args.indexOf("-i"), args.indexOf("-i") + 2)).toEqual(["-i", "file:/in"]);
});

test("the rate factor and the upper bit rate stay where the encoder knows them", () => {
  const args = toHardware(quick, encoderOf("nvenc"));
  expect(valueOf(args, "-cq:v:0")).toBe("23");
  expect(valueOf(args, "-maxrate:v:0")).toBe(valueOf(quick, "-maxrate:v:0"));
});

test("each rendition of a ladder is uploaded to a chip that wants it", () => {
  const rungs = planRungs(1920, 1080, 25).map((rung) => ({ ...rung, crf: 24.5 }));
  const plain = ladderArgs(facts, "/in", {
    rungs,
    sounds: [],
    fps,
    threads: 2,
    abilities,
  });
  const args = toHardware(plain, encoderOf("vaapi"));
  expect(args.slice(0, 2)).toEqual(["-init_hw_device", "vaapi=gpu:/dev/dri/renderD128"]);
  const graph = valueOf(args, "-filter_complex") ?? "";
  for (const [at] of rungs.entries()) {
    expect(graph.split(`[v${at}]`)).toHaveLength(2);
    expect(graph).toContain(`;[plain${at}]format=nv12,hwupload[v${at}]`);
    expect(valueOf(args, `-c:v:${at}`)).toBe("h264_vaapi");
    // It takes whole numbers, and its own frames between keyframes.
    expect(valueOf(args, `-qp:v:${at}`)).toBe("25");
    expect(args).not.toContain(`-bf:v:${at}`);
  }
});
