import { expect, test } from "vitest";
import { exampleAbilities, exampleFacts, valueAfter } from "../facts/example-facts.fixture.ts";
import {
  chooseCrf,
  renditionCrf,
  parseTrial,
  planSamples,
  trialArgs,
  type Trial,
} from "./quality.ts";
import { planRungs } from "./rungs.ts";

const hd = { maxrateKbps: 5500 };
const fps = { num: 25, den: 1 };
const trial = (...values: [kbps: number, ssim: number][]): Trial => {
  const [better = [0, 0], worse = [0, 0]] = values;
  return [
    { kbps: better[0], ssim: better[1] },
    { kbps: worse[0], ssim: worse[1] },
  ];
};

test("spends fewer bytes on noise but not on motion or detail", () => {
  const noise = chooseCrf([trial([6500, 0.893], [1500, 0.876])], hd);
  const motion = chooseCrf([trial([5200, 0.929], [2400, 0.889])], hd);
  const simple = chooseCrf([trial([180, 0.9996], [165, 0.9992])], hd);
  expect(noise).toBeGreaterThanOrEqual(26);
  expect(motion).toBeLessThanOrEqual(noise - 1.5);
  // No bits are spent above the visible threshold.
  expect(simple).toBe(28);
});

test("averages several samples and uses the default if there are none", () => {
  const samples = [trial([6500, 0.893], [1500, 0.876]), trial([180, 0.9996], [165, 0.9992])];
  const [one = 0, other = 0] = samples.map((each) => chooseCrf([each], hd));
  const both = chooseCrf(samples, hd);
  expect(both).toBeGreaterThanOrEqual(Math.min(one, other));
  expect(both).toBeLessThanOrEqual(Math.max(one, other));
  expect(chooseCrf([], hd)).toBe(23);
  // These measurements are impossible.
  expect(chooseCrf([trial([0, 1], [0, 1])], hd)).toBeLessThanOrEqual(28);
});

test("encodes smaller renditions at better quality, within limits", () => {
  const factors = planRungs(1920, 1080, 25).map((rung) => renditionCrf(rung, 24, 1080));
  expect(factors[0]).toBe(24);
  expect(factors).toEqual(factors.toSorted((a, b) => b - a));
  expect(Math.min(...factors)).toBeGreaterThanOrEqual(18);
  expect(renditionCrf({ shortSide: 2160 }, 28, 1080)).toBeLessThanOrEqual(30);
});

test("samples a small share of a video and nothing of short videos", () => {
  expect(planSamples(5)).toEqual({ starts: [], lengthS: 0 });
  for (const durationS of [6, 20, 60, 600, 36_000]) {
    const { starts, lengthS } = planSamples(durationS);
    expect(starts.length * lengthS).toBeLessThanOrEqual(durationS * 0.061);
    expect(starts.length * lengthS).toBeLessThanOrEqual(6);
    for (const startS of starts) expect(startS + lengthS).toBeLessThan(durationS);
  }
});

test("decodes a sample once and encodes it twice, without a cap or audio", () => {
  const [rung] = planRungs(1920, 1080, 25);
  if (rung === undefined) throw new Error("no rung");
  const args = trialArgs(exampleFacts(), "/in", {
    rung,
    fps,
    startS: 12,
    lengthS: 1,
    threads: 2,
    abilities: exampleAbilities,
  });
  expect(args.filter((arg) => arg === "-i")).toHaveLength(1);
  expect(valueAfter(args, "-ss")).toBe("12.000");
  expect(valueAfter(args, "-crf:v:0")).toBe("23");
  expect(valueAfter(args, "-crf:v:1")).toBe("27");
  expect(valueAfter(args, "-frames:v:1")).toBe("25");
  expect(args).not.toContain("-maxrate:v:0");
  expect(args.join(" ")).not.toContain(":a");
});

test("converts x264's summary to rates with a keyframe every two seconds", () => {
  const said = (size: number, ssim: string) =>
    [
      `[libx264 @ 0x1] frame I:1     Avg QP:20.18  size: ${size}`,
      `[libx264 @ 0x1] frame P:4     Avg QP:22.91  size:  2000`,
      `[libx264 @ 0x1] frame B:12    Avg QP:25.70  size:  1000`,
      `[libx264 @ 0x1] SSIM Mean Y:${ssim} (18.421db)`,
    ].join("\n");
  const found = parseTrial(`${said(9000, "0.9856")}\n${said(5000, "0.9700")}\n`, fps);
  // 9,000 bytes and 49 times 1,250 in two seconds.
  expect(found?.[0]).toEqual({ kbps: 281, ssim: 0.9856 });
  expect(found?.[1]?.ssim).toBe(0.97);
  expect(parseTrial("nothing", fps)).toBeNull();
  expect(parseTrial(said(9000, "0.9"), fps)).toBeNull();
});
