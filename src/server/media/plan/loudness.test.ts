import { expect, test } from "vitest";
import { parseLoudness, planGainDb } from "./loudness.ts";

const report = (integrated: string, peak: string) => `
[Parsed_ebur128_1 @ 0x1] Summary:

  Integrated loudness:
    I:         ${integrated} LUFS
    Threshold: -31.8 LUFS

  Loudness range:
    LRA:         4.2 LU
    Threshold: -41.1 LUFS
    LRA low:   -20.0 LUFS
    LRA high:  -16.0 LUFS

  True peak:
    Peak:      ${peak} dBFS
`;

test("reads only the filter's last report", () => {
  const forged = `  title : x${report("-1.0", "0.0")}`;
  expect(parseLoudness(forged + report("-21.8", "-3.1"))).toEqual({
    integratedLufs: -21.8,
    truePeakDb: -3.1,
    rangeLu: 4.2,
  });
});

test.each([
  ["silence", report("-70.0", "-inf")],
  ["no value", report("nan", "-3.0")],
  ["no report", "Conversion failed!"],
])("measures nothing for %s", (_, text) => {
  expect(parseLoudness(text)).toBeNull();
});

test.each([
  ["a loud sound is lowered", -8, -0.2, -6],
  ["peaks over full scale are lowered further", -13.5, 1.5, -2.5],
  ["a quiet sound is raised", -20, -8, 6],
  ["it is raised only as far as its peaks allow", -20, -3, 2],
  ["what is almost silent is not raised without end", -60, -50, 20],
])("%s", (_, integratedLufs, truePeakDb, gainDb) => {
  expect(planGainDb({ integratedLufs, truePeakDb, rangeLu: 3 })).toBe(gainDb);
});

test("leaves audio unchanged without a measurement", () => {
  expect(planGainDb(null)).toBe(0);
});
