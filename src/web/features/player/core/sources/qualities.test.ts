import { afterEach, expect, test, vi } from "vitest";
import { chooseLevels, isAv1, chooseStartLevel, parseQualities } from "./qualities.ts";

afterEach(() => vi.unstubAllGlobals());

const level = (videoCodec: string, height = 1080, videoRange = "SDR") => ({
  videoCodec,
  videoRange,
  width: (height * 16) / 9,
  height,
  bitrate: 2_000_000,
  frameRate: 25,
});
const h264 = [level("avc1.64001f", 720), level("avc1.640028")];
const large = level("avc1.640033", 2160);
const av1 = [level("av01.0.05M.08", 720), level("av01.0.08M.08")];
const hdr = [level("av01.0.05M.10", 720, "PQ"), level("av01.0.08M.10", 1080, "PQ")];

type Said = { supported: boolean; smooth: boolean; powerEfficient: boolean } | null;
const fast = { supported: true, smooth: true, powerEfficient: true };

function device(said: Said, ...media: string[]) {
  const decodingInfo = vi.fn((_: unknown) =>
    said === null ? Promise.reject(new TypeError("no such codec")) : Promise.resolve(said),
  );
  vi.stubGlobal("navigator", { mediaCapabilities: { decodingInfo } });
  vi.stubGlobal("matchMedia", (query: string) => ({ matches: media.includes(query) }));
  return decodingInfo;
}
const mobile = "(pointer: coarse)";
const hdrScreen = "(dynamic-range: high)";

const choose = (
  levels: Parameters<typeof chooseLevels>[0],
  wish: Partial<Parameters<typeof chooseLevels>[1]> = {},
) => chooseLevels(levels, { avoidsAv1: false, lines: null, ...wish });

test("detects AV1 by a rendition's codec", () => {
  expect(isAv1({ videoCodec: "av01.0.08M.08" })).toBe(true);
  expect(isAv1({ videoCodec: "avc1.64001f" })).toBe(false);
  expect(isAv1({ videoCodec: undefined })).toBe(false);
});

test("uses software decoding of AV1 only without a battery", async () => {
  const levels = [...h264, ...av1];
  const ask = device({ ...fast, powerEfficient: false });
  expect(await choose(levels)).toEqual(av1);
  expect(ask).toHaveBeenCalledWith({
    type: "media-source",
    video: {
      contentType: 'video/mp4; codecs="av01.0.08M.08"',
      width: 1920,
      height: 1080,
      bitrate: 2_000_000,
      framerate: 25,
    },
  });
  device({ ...fast, powerEfficient: false }, mobile);
  expect(await choose(levels)).toEqual(h264);
  device(fast, mobile);
  expect(await choose(levels)).toEqual(av1);
});

test("plays H.264 on a device that would drop frames or doesn't report it", async () => {
  device({ ...fast, smooth: false });
  expect(await choose([...h264, ...av1, ...hdr])).toEqual(h264);
  device(null);
  expect(await choose([...h264, ...av1])).toEqual(h264);
  vi.stubGlobal("navigator", {});
  expect(await choose([...h264, ...av1])).toEqual(h264);
  const ask = device(fast);
  expect(await choose([...h264, ...av1], { avoidsAv1: true })).toEqual(h264);
  expect(await choose(h264)).toEqual(h264);
  expect(ask).not.toHaveBeenCalled();
});

test("plays HDR only on screens and devices that support it", async () => {
  const ask = device(fast, hdrScreen);
  expect(await choose([...h264, ...av1, ...hdr])).toEqual(hdr);
  expect(ask.mock.lastCall?.[0]).toMatchObject({ video: { transferFunction: "pq" } });
  device(fast);
  expect(await choose([...h264, ...av1, ...hdr])).toEqual(av1);
  expect(await choose([...h264, ...hdr])).toEqual(h264);
  device({ ...fast, supported: false }, hdrScreen);
  expect(await choose([...h264, ...hdr])).toEqual(h264);
  device(fast, hdrScreen);
  expect(await choose([...h264, ...hdr], { avoidsAv1: true })).toEqual(h264);
});

test("skips HDR if it lacks the chosen height", async () => {
  device(fast, hdrScreen);
  const levels = [...h264, large, ...hdr];
  expect(await choose(levels)).toEqual(hdr);
  expect(await choose(levels, { lines: 720 })).toEqual(hdr);
  expect(await choose(levels, { lines: 2160 })).toEqual([...h264, large]);
});

const levels = (...sides: number[]) =>
  sides.map((side) => ({ width: Math.round((side * 16) / 9), height: side }));

test("ignores renditions above 1080 lines when it chooses the first one", () => {
  expect(chooseStartLevel(levels(360, 480, 720, 1080))).toBe(1);
  expect(chooseStartLevel(levels(360, 480, 720, 1080, 1440, 2160))).toBe(1);
  expect(chooseStartLevel([{ width: 1080, height: 1920 }])).toBe(0);
  expect(chooseStartLevel([])).toBe(0);
});

test("returns one rendition per number of lines, lowest first", () => {
  const text = `#EXTM3U
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="x",URI="a.m3u8"
#EXT-X-STREAM-INF:AVERAGE-BANDWIDTH=1,BANDWIDTH=2800000,RESOLUTION=1280x720,CODECS="avc1"
v720.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=640x360
v360.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=64000
audio.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=3000000,RESOLUTION=1280x720
v720b.m3u8
`;
  expect(parseQualities(text)).toEqual([
    { id: 360, lines: 360, bitrate: 900000 },
    { id: 720, lines: 720, bitrate: 3000000 },
  ]);
  const upright = "#EXT-X-STREAM-INF:BANDWIDTH=5,RESOLUTION=1080x1920\nv.m3u8";
  expect(parseQualities(upright)).toEqual([{ id: 1080, lines: 1080, bitrate: 5 }]);
});
