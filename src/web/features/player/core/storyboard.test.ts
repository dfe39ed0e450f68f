import { expect, test } from "vitest";
import { parseStoryboard, tileAt } from "./storyboard.ts";

const vtt = `WEBVTT

1
00:00:00.000 --> 00:00:05.000
sheet.webp#xywh=0,0,160,90

00:05.000 --> 00:10.000 align:start
sheet.webp#xywh=160,0,160,90

00:01:00.000 --> 01:00:05.500
javascript:alert(1)#xywh=0,0,1,1
`;

test("converts cues to tiles with absolute URLs and ignores other cues", () => {
  const tiles = parseStoryboard(vtt, "https://site.example/media/abc/storyboard.vtt");
  expect(tiles).toEqual([
    {
      startS: 0,
      endS: 5,
      url: "https://site.example/media/abc/sheet.webp",
      x: 0,
      y: 0,
      width: 160,
      height: 90,
    },
    expect.objectContaining({ startS: 5, endS: 10, x: 160 }),
  ]);
  expect(parseStoryboard("<html>", "https://site.example/")).toEqual([]);
});

test("returns the tile for a time", () => {
  const tiles = parseStoryboard(vtt, "https://site.example/a/b.vtt");
  expect(tileAt(tiles, 0)?.x).toBe(0);
  expect(tileAt(tiles, 4.99)?.x).toBe(0);
  expect(tileAt(tiles, 5)?.x).toBe(160);
  expect(tileAt(tiles, 500)?.x).toBe(160);
  expect(tileAt([], 1)).toBeNull();
});
