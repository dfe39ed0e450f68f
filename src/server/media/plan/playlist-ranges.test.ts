import { expect, test } from "vitest";
import { findRangeProblem, readRanges } from "./playlist-ranges.ts";

const playlist = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-MAP:URI="v360.mp4",BYTERANGE="774@0"
#EXTINF:2.000000,
#EXT-X-BYTERANGE:1000@774
v360.mp4
#EXTINF:1.000000,
#EXT-X-BYTERANGE:500
v360.mp4
#EXT-X-ENDLIST
`;

const check = (text: string, sizes: Record<string, number>) =>
  findRangeProblem(text, (uri) => sizes[uri] ?? null);

test("reads the initialisation segment and segments without an offset", () => {
  expect(readRanges(playlist)).toEqual({
    head: { uri: "v360.mp4", length: 774, offset: 0 },
    segments: [
      { uri: "v360.mp4", length: 1000, offset: 774, durationS: 2 },
      { uri: "v360.mp4", length: 500, offset: 1774, durationS: 1 },
    ],
    isComplete: true,
  });
});

test("accepts a file that holds every range", () => {
  expect(check(playlist, { "v360.mp4": 2274 })).toBeNull();
});

test("reports a file that is missing or shorter than its ranges", () => {
  expect(check(playlist, { "v360.mp4": 2273 })).toBe("v360.mp4 has 2273 of 2274 bytes");
  expect(check(playlist, {})).toBe("v360.mp4 is missing");
});

test("rejects a truncated playlist", () => {
  expect(check(playlist.replace("#EXT-X-ENDLIST\n", ""), { "v360.mp4": 2274 })).toBe(
    "its end is missing",
  );
  expect(check("#EXTM3U\n#EXT-X-ENDLIST\n", {})).toBe("its end is missing");
});
