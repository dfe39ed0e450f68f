import { expect, test } from "vitest";
import { findThumbnailSet, smallWidthOf, thumbnailFileNames } from "./thumbnail-files.ts";

test("returns two sizes in two types for an address with a width in its name", () => {
  expect(findThumbnailSet("/media/v/token/step/w640.webp")).toEqual({
    avif: "/media/v/token/step/w400.avif 400w, /media/v/token/step/w640.avif 640w",
    webp: "/media/v/token/step/w400.webp 400w, /media/v/token/step/w640.webp 640w",
  });
  expect(thumbnailFileNames("v/token/step/w640.webp").toSorted()).toEqual([
    "v/token/step/w400.avif",
    "v/token/step/w400.webp",
    "v/token/step/w640.avif",
    "v/token/step/w640.webp",
  ]);
});

test.each([
  "/media/v/token/step/thumbnail.webp",
  "/media/v/token/step/thumbnail.jpg",
  "/media/v/token/thumbnail-w640.webp",
  "https://elsewhere.example/w640.png",
])("returns a single file for %s", (address) => {
  expect(findThumbnailSet(address)).toBeNull();
  expect(thumbnailFileNames(address)).toEqual([address]);
});

test("rounds the smaller width to an even number above zero", () => {
  expect([640, 360, 362, 16, 4, 2].map(smallWidthOf)).toEqual([400, 226, 226, 10, 2, 2]);
});
