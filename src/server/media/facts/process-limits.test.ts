import { expect, test } from "vitest";
import { exampleFacts } from "./example-facts.fixture.ts";
import { maxRssBytes, planRssBytes } from "./process-limits.ts";

const sized = (width: number, height: number, isHdr = false) => ({
  video: {
    ...exampleFacts().video,
    codedWidth: width,
    codedHeight: height,
    isHdr,
    bitDepth: isHdr ? 10 : 8,
  },
});

test("allows a small ladder the usual memory", () => {
  expect(planRssBytes(sized(640, 360), { encodedRungs: 1, threads: 2 })).toBe(maxRssBytes);
});

test("allows tone mapping and large sources more memory, up to a bound", () => {
  const ladder = { encodedRungs: 4, threads: 4 };
  const plain = planRssBytes(sized(1920, 1080), ladder);
  const hdr = planRssBytes(sized(1920, 1080, true), ladder);
  expect(hdr).toBeGreaterThan(plain);
  expect(hdr).toBeGreaterThan(1_400_000_000);
  expect(planRssBytes(sized(7680, 4320, true), ladder)).toBe(3_000_000_000);
});
