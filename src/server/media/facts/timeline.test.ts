import { describe, expect, it } from "vitest";
import {
  cutTimeline,
  hiddenS,
  holdFrames,
  isEdited,
  leadOf,
  planReads,
  playTimes,
  readTimeline,
  timelineEndS,
  type Edit,
  type TimelinePart,
} from "./timeline.ts";

/** Units per second. */
const scale = { movie: 1000, track: 10_000 };
const media = { startS: 0, endS: 10 };
const edit = (lengthS: number, fromS: number | null, rate = 1): Edit => ({
  duration: lengthS * scale.movie,
  mediaTime: fromS === null ? -1 : fromS * scale.track,
  rate,
});
const part = (lengthS: number, mediaS: number | null, rate = 1): TimelinePart => ({
  lengthS,
  mediaS,
  rate,
});

describe("the timeline of an edit list", () => {
  it.each<[string, Edit[], TimelinePart[]]>([
    ["is the whole media without edits", [], [part(10, 0)]],
    ["contains parts in their order", [edit(2, 5), edit(1, 0)], [part(2, 5), part(1, 0)]],
    ["starts with a delay", [edit(1, null), edit(2, 3)], [part(1, null), part(2, 3)]],
    ["joins parts that follow each other", [edit(2, 0), edit(3, 2)], [part(5, 0)]],
    ["joins parts that differ by rounding", [edit(2, 0), edit(3, 2.001)], [part(5, 0)]],
    ["drops empty parts", [edit(2, 0), edit(0, 7), edit(1, 8)], [part(2, 0), part(1, 8)]],
    ["continues to the end without a length", [edit(0, 4)], [part(6, 4)]],
    ["ends with the media", [edit(20, 4)], [part(6, 4)]],
    [
      "waits where media is missing",
      [edit(4, 8), edit(1, 0)],
      [part(2, 8), part(2, null), part(1, 0)],
    ],
    ["drops a delay at the end", [edit(2, 0), edit(3, null)], [part(2, 0)]],
    ["keeps speeds", [edit(2, 0, 2), edit(1, 4, 0)], [part(2, 0, 2), part(1, 4, 0)]],
    ["ignores speeds that are all 0", [edit(2, 1, 0)], [part(2, 1)]],
    ["ignores absurd speeds", [edit(2, 1, 1 / 65_536)], [part(2, 1)]],
    ["shows nothing if all parts are delays", [edit(2, null)], []],
  ])("%s", (_, edits, timeline) => {
    expect(readTimeline(edits, scale, media)).toEqual(timeline);
  });
});

describe("an edited file", () => {
  const frameS = 0.04;
  it.each<[string, TimelinePart[], boolean]>([
    ["plays all", [part(10, 0)], false],
    ["begins later", [part(1, null), part(10, 0)], false],
    ["ends a third of a frame early", [part(9.99, 0)], false],
    ["lacks the last frame", [part(9.96, 0)], true],
    ["lacks the first frame", [part(9.96, 0.04)], true],
    ["has two parts", [part(4, 0), part(6, 4.5)], true],
    ["plays faster", [part(5, 0, 2)], true],
    ["plays nothing", [], true],
  ])("%s", (_, timeline, expected) => {
    expect(isEdited(timeline, media, frameS)).toBe(expected);
  });

  it("may lack the padding of encoders in its sound", () => {
    expect(isEdited([part(9.9, 0.05)], media, null)).toBe(false);
    expect(isEdited([part(9.8, 0)], media, null)).toBe(true);
    expect(isEdited([part(9.8, 0.2)], media, null)).toBe(true);
  });
});

const repeated = [part(1, null), part(2, 6), part(2, 1), part(2, 6), part(1, 5, 0)];

it("cuts a timeline anywhere", () => {
  expect(cutTimeline(repeated, { startS: 2, endS: 4 })).toEqual([part(1, 7), part(1, 1)]);
  expect(cutTimeline([part(4, 2, 2)], { startS: 1, endS: 2 })).toEqual([part(1, 4, 2)]);
  expect(cutTimeline(repeated, { startS: 8, endS: 9 })).toEqual([]);
  expect([timelineEndS(repeated), leadOf(repeated)]).toEqual([8, 1]);
});

it("returns every time at which media plays", () => {
  expect(playTimes(repeated, { startS: 7, endS: 9 })).toEqual([
    { startS: 2, endS: 3 },
    { startS: 6, endS: 7 },
  ]);
  expect(playTimes(repeated, { startS: 4, endS: 5.5 })).toEqual([{ startS: 7, endS: 8 }]);
  expect(playTimes(repeated, { startS: 3, endS: 5 })).toEqual([]);
  expect(playTimes([part(2, 0, 2)], { startS: 1, endS: 3 })).toEqual([{ startS: 0.5, endS: 1.5 }]);
});

it("counts what never plays once, also if other parts repeat", () => {
  expect(hiddenS(repeated, media)).toBe(6);
  expect(hiddenS([part(10, 0)], media)).toBe(0);
});

describe("the passes over media", () => {
  const passes = (...timeline: TimelinePart[]) =>
    planReads(timeline)?.map((parts) => parts.map(({ mediaS }) => mediaS));

  it("read parts in the order of the media at once", () => {
    expect(passes(part(1, 0), part(1, 3), part(1, 9))).toEqual([[0, 3, 9]]);
  });

  it("skip long gaps", () => {
    expect(passes(part(1, 0), part(1, 500))).toEqual([[0], [500]]);
  });

  it("go back for parts that repeat", () => {
    expect(passes(...repeated)).toEqual([[6], [1, 6], [5]]);
  });

  it("are limited in number, which gaps don't count towards", () => {
    const far = Array.from({ length: 100 }, (_, at) => part(1, at * 500));
    expect(passes(...far)).toHaveLength(1);
    expect(planReads(Array.from({ length: 30 }, () => part(1, 0)))).toBeNull();
  });

  it("hold what precedes a delay until its end", () => {
    expect(planReads([part(1, 0), part(2, null), part(1, 5)])?.[0]?.[0]).toEqual({
      ...{ rate: 1, mediaS: 0, mediaEndS: 1, startS: 0, playsUntilS: 1, endS: 3 },
    });
  });
});

it("holds a frame wherever nothing plays", () => {
  const held = holdFrames([part(1, null), part(2, 6), part(1, null)]);
  expect(held).toEqual([part(1, 6, 0), part(2, 6), part(1, 7.999, 0), part(Infinity, 7.999, 0)]);
});
