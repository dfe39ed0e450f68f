import { expect, test } from "vitest";
import { clockTime, vttTime } from "./time-codes.ts";

test("formats times for people", () => {
  expect([0, 123.4, 59.9995, 3723].map(clockTime)).toEqual(["0:00", "2:03", "1:00", "1:02:03"]);
});

test("formats times for WebVTT", () => {
  expect([0, 3_723_456.7, 1999.6].map(vttTime)).toEqual([
    "00:00:00.000",
    "01:02:03.457",
    "00:00:02.000",
  ]);
});
