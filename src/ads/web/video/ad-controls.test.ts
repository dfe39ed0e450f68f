import { expect, test } from "vitest";
import { adTimes } from "./ad-controls.ts";

const video = (values: {
  positionS?: number;
  durationS?: number | null;
  skipAtS?: number | null;
}) => ({
  positionS: 0,
  durationS: null,
  skipAtS: null,
  ...values,
});

test.each([
  [0, { skipInS: 5, leftS: 15, progress: 0, isCutOff: false }],
  [4.5, { skipInS: 0.5, leftS: 10.5, progress: 0.3, isCutOff: false }],
  [5, { skipInS: 0, leftS: 10, isCutOff: false }],
  [15, { leftS: 0, progress: 1, isCutOff: true }],
  [16, { leftS: 0, progress: 1, isCutOff: true }],
])("computes the times of an ad without media %s s after it is shown", (shownS, expected) => {
  const times = adTimes({ shownS });
  for (const [name, value] of Object.entries(expected)) {
    if (typeof value === "number") expect(times[name as "leftS"]).toBeCloseTo(value);
    else expect(times.isCutOff).toBe(value);
  }
});

test("ends a short video with its media, and later if it stalls", () => {
  expect(adTimes({ shownS: 2, media: video({ positionS: 2, durationS: 8 }) })).toMatchObject({
    leftS: 6,
    progress: 0.25,
  });
  expect(adTimes({ shownS: 7, media: video({ positionS: 2, durationS: 8 }) })).toMatchObject({
    leftS: 6,
    skipInS: -2,
  });
});

test("cuts a long or stalled video off after 15 s", () => {
  const long = adTimes({ shownS: 15, media: video({ positionS: 15, durationS: 30 }) });
  expect(long).toMatchObject({ leftS: 0, progress: 1, isCutOff: true });
  const stalled = adTimes({ shownS: 14, media: video({ positionS: 1, durationS: 30 }) });
  expect(stalled).toMatchObject({ leftS: 1, isCutOff: false });
});

test("measures a VAST skip offset in media time, limited by the cut-off", () => {
  const skipInS = (positionS: number, skipAtS: number) =>
    adTimes({ shownS: 4, media: video({ positionS, durationS: 60, skipAtS }) }).skipInS;
  expect(skipInS(1, 2)).toBe(1);
  expect(skipInS(2.5, 2)).toBe(-0.5);
  expect(skipInS(3, 40)).toBe(12);
  expect(skipInS(0, 0)).toBe(0);
});
