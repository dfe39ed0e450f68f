import { expect, test } from "vitest";
import { parseStartTime } from "./start-time.ts";

test.each([
  ["90", 90],
  ["12.5", 12.5],
  ["5.", 5],
  ["20s", 20],
  ["1m20s", 80],
  ["2m", 120],
  ["1h2m3s", 3723],
  ["1:20", null],
  ["0", null],
  ["", null],
  [null, null],
  ["-5", null],
  ["1e9", null],
  ["soon", null],
  ["Infinity", null],
])("reads %j as %j", (text, startS) => expect(parseStartTime(text)).toBe(startS));

// Takes minutes if the digits can be divided in several ways.
test("reads many digits in time", () => {
  expect(parseStartTime(`${"1".repeat(500_000)}x`)).toBeNull();
});
