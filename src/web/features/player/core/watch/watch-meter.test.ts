import { expect, test } from "vitest";
import { createWatchMeter } from "./watch-meter.ts";

test("counts watched seconds but not skipped ones", () => {
  const meter = createWatchMeter();
  meter.observe(0, 0, 1);
  meter.observe(1, 1000, 1);
  meter.observe(50, 1250, 1);
  meter.observe(51, 2250, 1);
  expect(meter.watchedS).toBeCloseTo(2);
});

test("counts seconds of content at double speed", () => {
  const meter = createWatchMeter();
  meter.observe(0, 0, 2);
  meter.observe(2, 1000, 2);
  expect(meter.watchedS).toBeCloseTo(2);
});

test("ignores a jump after a long pause", () => {
  const meter = createWatchMeter();
  meter.observe(10, 0, 1);
  meter.interrupt();
  meter.observe(900, 3_600_000, 1);
  meter.observe(901, 3_601_000, 1);
  expect(meter.watchedS).toBeCloseTo(1);
});

test("preserves the watched time after a restart", () => {
  const meter = createWatchMeter();
  meter.observe(9, 0, 1);
  meter.observe(10, 1000, 1);
  meter.observe(0, 1100, 1);
  meter.observe(1, 2100, 1);
  expect(meter.watchedS).toBeCloseTo(2);
});
