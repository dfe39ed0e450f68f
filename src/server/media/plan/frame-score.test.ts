import { expect, test } from "vitest";
import { sampleSize, scoreFrame } from "./frame-score.ts";

type Color = [number, number, number];

const { width, height } = sampleSize;

/** Builds the frames of one sample, each painted by its own function. */
const sample = (...paints: ((x: number, y: number) => Color)[]) =>
  Uint8Array.from(
    paints.flatMap((paint) =>
      Array.from({ length: width * height }, (_, i) =>
        paint(i % width, Math.floor(i / width)),
      ).flat(),
    ),
  );

const still = (paint: (x: number, y: number) => Color) => sample(paint, paint, paint);
const checks = (size: number, dark: Color, light: Color) => (x: number, y: number) =>
  (Math.floor(x / size) + Math.floor(y / size)) % 2 === 0 ? dark : light;
const colorful = checks(4, [200, 60, 30], [40, 90, 190]);
const grey = checks(4, [84, 84, 84], [90, 90, 90]);
const smooth = (x: number): Color => [60 + x / 2, 80, 190 - x / 2];

test.each([
  ["sharp before blurred", still(colorful), still(smooth)],
  ["colorful before grey", still(colorful), still(grey)],
  ["anything before black", still(smooth), still(() => [3, 3, 3])],
  ["anything before white", still(smooth), still(() => [250, 250, 250])],
  [
    "a still scene before a cut",
    still(colorful),
    sample(
      colorful,
      () => [0, 0, 0],
      () => [0, 0, 0],
    ),
  ],
])("%s", (_, better, worse) => {
  expect(scoreFrame(better)).toBeGreaterThan(scoreFrame(worse) ?? Number.POSITIVE_INFINITY);
});

test("scores a single frame and returns null without a frame", () => {
  expect(scoreFrame(sample(colorful))).toBeCloseTo(scoreFrame(still(colorful)) ?? 0);
  expect(scoreFrame(new Uint8Array(10))).toBeNull();
});
