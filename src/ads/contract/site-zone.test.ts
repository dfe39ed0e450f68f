import { expect, test } from "vitest";
import { addDays, dayIn, endOfDayMs, fromWallMs, isTimeZone, toWallMs } from "./site-zone.ts";

const berlin = "Europe/Berlin";
const at = (text: string) => Date.parse(text);
const iso = (ms: number) => new Date(ms).toISOString().slice(0, 16);

test.each([
  [berlin, "2026-01-15T12:00Z", "2026-01-15T13:00"],
  [berlin, "2026-07-15T12:00Z", "2026-07-15T14:00"],
  ["Asia/Kolkata", "2026-07-15T12:00Z", "2026-07-15T17:30"],
  ["America/New_York", "2026-07-15T02:00Z", "2026-07-14T22:00"],
  ["UTC", "2026-07-15T02:00Z", "2026-07-15T02:00"],
])("converts between the wall clock of %s and %s", (zone, instant, wall) => {
  expect(iso(toWallMs(zone, at(instant)))).toBe(wall);
  expect(fromWallMs(zone, at(`${wall}Z`))).toBe(at(instant));
  expect(dayIn(zone, at(instant))).toBe(wall.slice(0, 10));
});

test("moves a skipped time and uses the first of two repeated ones", () => {
  expect(iso(fromWallMs(berlin, at("2026-03-29T02:30Z")))).toBe("2026-03-29T01:30");
  expect(iso(fromWallMs(berlin, at("2026-10-25T02:30Z")))).toBe("2026-10-25T00:30");
});

test("ends days of 23, 24 and 25 hours at local midnight", () => {
  const lengthH = (noon: string) => {
    const start = fromWallMs(berlin, at(`${noon.slice(0, 10)}T00:00Z`));
    return (endOfDayMs(berlin, at(noon)) - start) / 3_600_000;
  };
  expect(["2026-03-29T12:00Z", "2026-05-04T12:00Z", "2026-10-25T12:00Z"].map(lengthH)).toEqual([
    23, 24, 25,
  ]);
});

test.each(["UTC", berlin, "Asia/Calcutta", "Asia/Kolkata", "Europe/Kyiv", "Asia/Ho_Chi_Minh"])(
  "accepts %s",
  (zone) => expect(isTimeZone(zone)).toBe(true),
);

test.each(["+02:00", "-0330", "Mars/Base", ""])("refuses “%s”", (zone) =>
  expect(isTimeZone(zone)).toBe(false),
);

test("counts days across month boundaries", () => {
  expect(addDays("2026-10-30", 2)).toBe("2026-11-01");
  expect(addDays("2026-03-01", -1)).toBe("2026-02-28");
});
