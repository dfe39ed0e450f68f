import { expect, test } from "vitest";
import { planParts } from "./ladder-parts.ts";
import { planRungs } from "./rungs.ts";

const sidesOf = (width: number, height: number, workers: number) =>
  planParts(planRungs(width, height, 25), workers).map(({ sides }) => sides);

test("a ladder is divided into the fewest parts whose largest is as small as it can be", () => {
  expect(sidesOf(1920, 1080, 1)).toEqual([[1080, 720, 480, 360]]);
  expect(sidesOf(1920, 1080, 2)).toEqual([[1080], [720, 480, 360]]);
  // The largest rendition alone takes longer than the others together.
  expect(sidesOf(1920, 1080, 9)).toEqual([[1080], [720, 480, 360]]);
  expect(sidesOf(854, 480, 9)).toEqual([[480], [360]]);
  expect(sidesOf(640, 360, 9)).toEqual([[360]]);
});

test("one part has the sound, and the shares are those of the pixels", () => {
  const parts = planParts(planRungs(1920, 1080, 25), 2);
  expect(parts.map(({ hasSound }) => hasSound)).toEqual([false, true]);
  expect(parts[0]?.share).toBeCloseTo(0.57, 2);
  expect(parts.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9);
});
