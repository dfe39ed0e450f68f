import { expect, test } from "vitest";
import { encodeHlg, encodePq, fields, toHdrLight, type Rgb } from "#test/color-clips.ts";
import { writeColorTable } from "./color-table.ts";

/** Reads a table at signals from 0 to 1 like `lut3d=interp=tetrahedral`. Returns 8-bit values. */
function readTable(name: string): (signals: Rgb) => number[] {
  const [head = "", ...lines] = [...writeColorTable(name)].join("").trim().split("\n");
  const size = Number(head.replace("LUT_3D_SIZE ", ""));
  expect(lines).toHaveLength(size ** 3);
  const strides = [1, size, size * size];
  const at = (index: number): number[] => (lines[index] ?? "").split(" ").map(Number);
  return (signals) => {
    const axes = signals.map((signal, i) => {
      const place = signal * (size - 1);
      const from = Math.min(size - 2, Math.floor(place));
      return { from: from * (strides[i] ?? 0), part: place - from, stride: strides[i] ?? 0 };
    });
    let index = axes.reduce((sum, { from }) => sum + from, 0);
    const sum = at(index);
    // Walks to the opposite corner of the cell, first along the axis with the largest part.
    for (const { part, stride } of axes.toSorted((a, b) => b.part - a.part)) {
      const before = at(index);
      index += stride;
      for (const [i, value] of at(index).entries()) {
        sum[i] = (sum[i] ?? 0) + part * (value - (before[i] ?? 0));
      }
    }
    return sum.map((value) => Math.round(value * 255));
  };
}

const pqOf = (light: Rgb): Rgb => [encodePq(light[0]), encodePq(light[1]), encodePq(light[2])];
const grey = (light: number): Rgb => [light, light, light];

test.each([
  ["smpte2084-bt2020", pqOf],
  ["arib-std-b67-bt2020", encodeHlg],
])("maps HDR to standard range: %s", (name, encode) => {
  const table = readTable(name);
  const brightness = (light: number) => table(encode(grey(light)))[1] ?? 0;
  expect(brightness(203)).toBeGreaterThan(205);
  expect(brightness(203)).toBeLessThanOrEqual(214);
  expect(brightness(1000)).toBeGreaterThan(235);
  expect(brightness(0.01)).toBeLessThan(6);
  for (const color of fields.slice(0, 5)) {
    const shown = table(encode(toHdrLight(color)));
    for (const [i, value] of color.entries()) {
      expect(Math.abs(value - (shown[i] ?? 0))).toBeLessThan(0.12 * 255);
    }
  }
  // Brighter light never looks darker.
  const rising = Array.from({ length: 50 }, (_, i) => brightness(20 * (i + 1)));
  expect(rising).toEqual(rising.toSorted((a, b) => a - b));
});

test("leaves 4000 cd/m² of PQ white and 1000 distinct", () => {
  const table = readTable("smpte2084-bt2020");
  expect(table(pqOf(grey(4000)))[1]).toBeGreaterThanOrEqual(253);
  expect(table(pqOf(grey(1000)))[1]).toBeLessThan(245);
});

test("converts wide primaries of standard range and desaturates what BT.709 can't show", () => {
  const table = readTable("bt709-smpte432");
  expect(table([0.5, 0.5, 0.5])).toEqual([128, 128, 128]);
  const [r = 0, g = 0, b = 0] = table([0.8, 0.2, 0.2]);
  expect(r).toBeGreaterThan(215);
  expect(Math.max(g, b)).toBeLessThan(51);
  expect(table([1, 0, 0])[0]).toBe(255);
});

test("decodes YCgCo from raw planes", () => {
  // Y, Cg and Co of a red (0.8, 0.2, 0.2) are in green, blue and red.
  expect(readTable("bt709-ycgco")([0.8, 0.35, 0.35])).toEqual([204, 51, 51]);
});
