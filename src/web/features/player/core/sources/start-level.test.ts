import { expect, test } from "vitest";
import { chooseStartLevel } from "./start-level.ts";

const levels = (...sides: number[]) =>
  sides.map((side) => ({ width: Math.round((side * 16) / 9), height: side }));

test("ignores renditions above 1080 lines when it chooses the first one", () => {
  expect(chooseStartLevel(levels(360, 480, 720, 1080))).toBe(1);
  expect(chooseStartLevel(levels(360, 480, 720, 1080, 1440, 2160))).toBe(1);
  expect(chooseStartLevel([{ width: 1080, height: 1920 }])).toBe(0);
  expect(chooseStartLevel([])).toBe(0);
});
