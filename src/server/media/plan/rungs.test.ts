import { expect, test } from "vitest";
import { planLargeRungs, planQuickRung, planRungs } from "./rungs.ts";

const sizes = (width: number, height: number): string[] =>
  planRungs(width, height, 25).map((rung) => `${rung.width}x${rung.height}`);

test.each([
  { from: [1920, 1080], to: ["1920x1080", "1280x720", "854x480", "640x360", "426x240"] },
  { from: [1080, 1920], to: ["1080x1920", "720x1280", "480x854", "360x640", "240x426"] },
  { from: [3840, 2160], to: ["1920x1080", "1280x720", "854x480", "640x360", "426x240"] },
  { from: [1280, 720], to: ["1280x720", "854x480", "640x360", "426x240"] },
  { from: [1080, 1080], to: ["1080x1080", "720x720", "480x480", "360x360", "240x240"] },
  { from: [1600, 900], to: ["1600x900", "1280x720", "854x480", "640x360", "426x240"] },
  { from: [960, 540], to: ["960x540", "640x360", "426x240"] },
  { from: [640, 360], to: ["640x360", "426x240"] },
  { from: [320, 240], to: ["320x240"] },
  { from: [161, 121], to: ["160x120"] },
  { from: [721, 1281], to: ["720x1280", "480x852", "360x640", "240x426"] },
])("converts $from to $to", ({ from: [width = 0, height = 0], to }) => {
  expect(sizes(width, height)).toEqual(to);
});

test.each([
  { from: [3840, 2160], to: ["3840x2160", "2560x1440"] },
  { from: [2160, 3840], to: ["2160x3840", "1440x2560"] },
  { from: [7680, 4320], to: ["3840x2160", "2560x1440"] },
  { from: [2560, 1440], to: ["2560x1440"] },
  { from: [2880, 1620], to: ["2880x1620"] },
  // Wider than decoders accept.
  { from: [5120, 2160], to: ["3414x1440"] },
  // Not worth a rendition in addition to 1080 lines.
  { from: [2048, 1200], to: [] },
  { from: [1920, 1080], to: [] },
  { from: [20_000, 1500], to: [] },
])("converts $from to $to above 1080 lines", ({ from: [width = 0, height = 0], to }) => {
  const rungs = planLargeRungs(width, height, 30);
  expect(rungs.map((rung) => `${rung.width}x${rung.height}`)).toEqual(to);
});

test("plans no rung that is larger than its source, has odd sizes or exceeds decoder limits", () => {
  for (let width = 16; width < 5000; width += 97) {
    for (let height = 16; height < 5000; height += 89) {
      const rungs = planRungs(width, height, 30);
      expect(rungs.length).toBeGreaterThan(0);
      for (const rung of [...rungs, planQuickRung(width, height, 30)]) {
        expect((rung.width % 2) + (rung.height % 2)).toBe(0);
        expect(rung.width).toBeLessThanOrEqual(Math.max(16, width));
        expect(rung.height).toBeLessThanOrEqual(Math.max(16, height));
        expect(Math.max(rung.width, rung.height)).toBeLessThanOrEqual(3240);
      }
      const names = rungs.map((rung) => rung.shortSide);
      expect(new Set(names).size).toBe(names.length);
    }
  }
});

test("plans one usable rung for very long and very small sources", () => {
  expect(sizes(10_000, 20)).toEqual(["60x16"]);
  expect(sizes(1, 1)).toEqual(["16x16"]);
});

test("lowers bit rates with the size and raises them with the frame rate", () => {
  const [top, ...lower] = planRungs(1920, 1080, 30);
  expect(top?.maxrateKbps).toBe(5500);
  expect(lower.map((rung) => rung.maxrateKbps)).toEqual([2990, 1630, 1060, 580]);
  expect(planRungs(1920, 1080, 60)[0]?.maxrateKbps).toBe(8250);
});

test("plans a quick rung of 480 or the source's size", () => {
  expect(planQuickRung(1920, 1080, 25)).toMatchObject({ width: 854, height: 480 });
  expect(planQuickRung(320, 240, 25)).toMatchObject({ width: 320, height: 240 });
});
