import { expect, test } from "vitest";
import { exampleFacts } from "../facts/example-facts.fixture.ts";
import { isWorthwhile, planAv1, type Av1Kind } from "./av1.ts";

const plan = (
  durationS: number,
  video: Parameters<typeof exampleFacts>[0] = {},
  kind: Av1Kind = "AV1",
) => planAv1(exampleFacts({ durationS, ...video }), kind);

test("plans all renditions of a video in AV1", () => {
  expect(plan(600).rungs?.map(({ shortSide }) => shortSide)).toEqual([1080, 720, 480, 360, 240]);
});

test("plans and reports nothing for a video of a minute, which plays from a single file", () => {
  expect(plan(60)).toEqual({ rungs: null, reason: null });
});

test.each([
  ["more than 1080 lines", 600, { width: 3840, height: 2160 }],
  ["a tiny picture", 600, { width: 64, height: 32 }],
  ["a day", 86_400, {}],
])("makes none for %s, with a reason", (_, durationS, video) => {
  const { rungs, ...other } = plan(durationS, { video });
  expect(rungs).toBeNull();
  expect(other).toEqual({ reason: expect.stringMatching(/^No AV1 renditions: .+\.$/) });
});

test("preserves HDR up to 1080 lines even if the source has more", () => {
  const video = { isHdr: true, width: 3840, height: 2160 };
  expect(plan(600, { video }, "HDR").rungs?.map(({ shortSide }) => shortSide)).toEqual([
    ...[1080, 720, 480, 360, 240],
  ]);
  expect(plan(600, {}, "HDR")).toEqual({ rungs: null, reason: null });
  expect(plan(60, { video }, "HDR")).toEqual({ rungs: null, reason: null });
  expect(plan(600, { video: { ...video, width: 64, height: 32 } }, "HDR")).toEqual({
    rungs: null,
    reason: "No HDR renditions: the picture is too small.",
  });
});

test("plans both kinds for an HDR source if they fit into a job's time", () => {
  expect(plan(5400).rungs).not.toBeNull();
  expect(plan(5400, { video: { isHdr: true } }).rungs).toBeNull();
});

test("rejects renditions that are hardly smaller", () => {
  expect(isWorthwhile([600, 200], [1000, 300])).toBe(true);
  expect(isWorthwhile([900, 280], [1000, 300])).toBe(false);
  expect(isWorthwhile([900], [])).toBe(false);
});
