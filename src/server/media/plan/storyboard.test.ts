import { expect, test } from "vitest";
import { planStoryboard, storyboardArgs, writeStoryboardVtt } from "./storyboard.ts";

const wide = { width: 640, height: 360 };

test.each([
  [0.04, 1, 1, 1],
  [5, 1, 5, 1],
  [20, 1, 20, 1],
  [60, 2, 30, 1],
  [600, 6, 100, 1],
  [3600, 10, 360, 4],
  [43_200, 22, 1964, 20],
])(
  "plans for %d s a tile every %d s, %d tiles, %d sheets",
  (durationS, intervalS, tiles, sheets) => {
    const plan = planStoryboard(wide, durationS);
    expect(plan).toMatchObject({ intervalS, tileCount: tiles, sheetCount: sheets });
    expect(plan.isKeyframesOnly).toBe(intervalS >= 2);
  },
);

test("preserves the proportions of the video in tiles", () => {
  expect(planStoryboard(wide, 60)).toMatchObject({ tileWidth: 160, tileHeight: 90 });
  expect(planStoryboard({ width: 360, height: 640 }, 60)).toMatchObject({
    tileWidth: 90,
    tileHeight: 160,
  });
});

test("covers the duration with tiles without gap or overlap, inside their sheets", () => {
  const plan = planStoryboard(wide, 3599.5);
  const text = writeStoryboardVtt(plan, 3599.5, (sheet) => `s-${sheet}.webp`);
  const cues = [
    ...text.matchAll(/^([\d:.]+) --> ([\d:.]+)\n(s-\d+)\.webp#xywh=(\d+),(\d+),(\d+),(\d+)$/gm),
  ];
  expect(cues).toHaveLength(plan.tileCount);
  expect(cues[0]?.[1]).toBe("00:00:00.000");
  expect(cues.at(-1)?.[2]).toBe("00:59:59.500");
  for (const [i, cue] of cues.entries()) {
    if (i > 0) expect(cue[1]).toBe(cues[i - 1]?.[2]);
    expect(Number(cue[4]) + Number(cue[6])).toBeLessThanOrEqual(plan.columns * plan.tileWidth);
    expect(Number(cue[5]) + Number(cue[7])).toBeLessThanOrEqual(plan.rows * plan.tileHeight);
  }
  expect(new Set(cues.map((cue) => `${cue[3]} ${cue[4]} ${cue[5]}`)).size).toBe(cues.length);
  expect(cues[100]?.[3]).toBe("s-2");
});

test("decodes only keyframes if they suffice", () => {
  const slow = planStoryboard(wide, 60);
  expect(storyboardArgs(slow, "/v.mp4", "/s-%d.webp", true)).toContain("-skip_frame");
  const quick = planStoryboard(wide, 5);
  expect(storyboardArgs(quick, "/v.mp4", "/s-%d.jpg", false)).not.toContain("-skip_frame");
});
