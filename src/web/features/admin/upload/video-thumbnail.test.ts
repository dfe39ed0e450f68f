import { expect, test } from "vitest";
import { isBlack } from "./video-thumbnail.ts";

const frameOf = (red: number, green: number, blue: number) =>
  Array.from({ length: 4 * 50 }, (_, at) => [red, green, blue, 255][at % 4] ?? 0);

test.each([
  ["black", frameOf(0, 0, 0), true],
  ["the black of limited range", frameOf(8, 8, 8), true],
  ["a dark night", frameOf(20, 20, 30), false],
  ["a red picture", frameOf(200, 0, 0), false],
])("tells whether %s is a black frame", (_name, pixels, expected) => {
  expect(isBlack(pixels)).toBe(expected);
});
