import { expect, test } from "vitest";
import { fitBox, pictureSize, thumbnailBox } from "./picture-sizes.ts";

test("fills a box without exceeding it", () => {
  expect(fitBox(1920, 1080, thumbnailBox)).toEqual({ width: 640, height: 360 });
  expect(fitBox(1080, 1920, thumbnailBox)).toEqual({ width: 360, height: 640 });
  expect(fitBox(100, 50, thumbnailBox)).toEqual({ width: 100, height: 50 });
});

test("returns the size of a generated picture, and null for an uploaded one", () => {
  const video = { width: 1080, height: 1920 };
  const sizeOf = (address: string | null, of: { width: number | null; height: number | null }) =>
    pictureSize(address, of, thumbnailBox);
  expect(sizeOf("/media/v/abc/def/w360.webp", video)).toEqual({ width: 360, height: 640 });
  expect(sizeOf("/media/v/abc/thumbnail-def/w640.webp", video)).toBeNull();
  expect(sizeOf("/media/v/abc/def/w360.webp", { width: null, height: null })).toBeNull();
  expect(sizeOf(null, video)).toBeNull();
});
