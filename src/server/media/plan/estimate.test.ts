import { expect, it } from "vitest";
import { encodeJobOf } from "#server/features/videos/processing-state/enqueue-processing.ts";
import { estimateWork } from "./estimate.ts";
import { exampleFacts } from "../facts/example-facts.fixture.ts";

const small = { codedWidth: 320, codedHeight: 180, width: 320, height: 180 };

it("counts the frames to encode, so three hours at one frame per second are a long job", () => {
  const slow = exampleFacts({ durationS: 10_800, video: { ...small, fps: { num: 1, den: 1 } } });
  const { quickS, ladderS } = estimateWork(slow);
  expect(encodeJobOf(quickS)).toBe("video.encode-long");
  expect(ladderS).toBeGreaterThanOrEqual(quickS);
  // The renditions have five frames per second.
  const five = exampleFacts({ durationS: 10_800, video: { ...small, fps: { num: 5, den: 1 } } });
  expect(quickS / estimateWork(five).quickS).toBeGreaterThan(0.8);
});

it("includes audio in the estimate for a long file with a still picture", () => {
  const facts = exampleFacts({ durationS: 10_800, video: { ...small, fps: { num: 1, den: 1 } } });
  const silent = { ...facts, audio: null };
  expect(estimateWork(facts).quickS - estimateWork(silent).quickS).toBeCloseTo(108);
});

it("ranks a short clip before a long one", () => {
  const clip = exampleFacts({ durationS: 10, video: small });
  expect(encodeJobOf(estimateWork(clip).quickS)).toBe("video.encode");
});
