import { expect, test } from "vitest";
import { exampleFacts } from "./example-facts.fixture.ts";
import { closeJumps, findJumps, jumpFilter, withJumps, withoutJumps } from "./jumps.ts";

/** Returns `count` times at intervals of `stepS`, starting at `fromS`. */
const times = (fromS: number, count: number, stepS = 0.04) =>
  Array.from({ length: count }, (_, i) => fromS + i * stepS);

test("finds a jump of picture and audio with packets in any order", () => {
  const video = [...times(1003, 75), ...times(0, 75)];
  const audio = [...times(0, 140, 0.0213), ...times(1003, 140, 0.0213)];
  const jumps = findJumps(video, audio);
  expect(jumps).toHaveLength(1);
  expect(jumps[0]?.lengthS).toBeCloseTo(1000, 0);
  expect(withoutJumps(1006, jumps)).toBeCloseTo(6, 0);
  expect(withoutJumps(3, jumps)).toBe(3);
  expect(findJumps(video, null)).toHaveLength(1);
});

test("converts times without jumps to times in the source", () => {
  const jumps = findJumps([...times(0, 75), ...times(1003, 75), ...times(1206, 75)], null);
  for (const [timeS, expectedS] of [
    [0, 0],
    [2.96, 2.96],
    [3, 1003],
    [5.96, 1005.96],
    [6, 1206],
    [8, 1208],
  ] as const) {
    expect(withJumps(timeS, jumps)).toBeCloseTo(expectedS, 5);
    expect(withoutJumps(expectedS, jumps)).toBeCloseTo(timeS, 5);
  }
});

test("ignores a picture that freezes while the audio continues", () => {
  expect(findJumps([0, 0.04, 1000], times(0, 50_000, 0.0213))).toEqual([]);
});

test("ignores a slide show and a pause in a screen recording", () => {
  expect(findJumps(times(0, 10, 90), null)).toEqual([]);
  expect(findJumps([...times(0, 50), ...times(40, 50)], null)).toEqual([]);
});

test("moves chapters across jumps and drops those within", () => {
  const starts = (...startsS: number[]) => {
    const chapters = startsS.map((startS) => ({ startS, title: `From ${startS}` }));
    const facts = exampleFacts({ durationS: 1006, chapters });
    return closeJumps(facts, [{ atS: 503, lengthS: 1000 }]).chapters;
  };
  expect(starts(0, 2, 1004)).toEqual([
    { startS: 0, title: "From 0" },
    { startS: 2, title: "From 2" },
    { startS: 4, title: "From 1004" },
  ]);
  expect(starts(0, 100, 900, 1004).map(({ startS }) => startS)).toEqual([0, 3, 4]);
});

test("removes jumps from a source's facts and notifies the admin", () => {
  const facts = exampleFacts({ durationS: 1006, video: { endS: 1006 } });
  const jumps = [{ atS: 503, lengthS: 1000 }];
  expect(closeJumps(facts, jumps)).toMatchObject({
    durationS: 6,
    video: { endS: 6 },
    audio: { endS: 60 },
    notices: ["The timestamps jump by 1000 s. The gap was removed."],
  });
  expect(jumpFilter("asetpts", jumps)).toEqual(["asetpts='PTS-(gte(T,503.000)*1000.000)/TB'"]);
});
