import { expect, test } from "vitest";
import {
  addVariants,
  appendVariants,
  findCodec,
  listSoundUris,
  listVariantUris,
  readPlaylist,
  writeMasterPlaylist,
} from "./master-playlist.ts";

const media = `#EXTM3U
#EXT-X-MAP:URI="v.mp4",BYTERANGE="825@0"
#EXTINF:2.000000,
#EXT-X-BYTERANGE:50000@825
v.mp4
#EXTINF:2.000000,
#EXT-X-BYTERANGE:100000@50825
v.mp4
#EXTINF:0.040000,
#EXT-X-BYTERANGE:9000@150825
v.mp4
#EXT-X-ENDLIST`;

test("computes peak and average bit rates from the segments", () => {
  const read = readPlaylist(media);
  expect(read.durationS).toBeCloseTo(4.04, 6);
  // 109,000 bytes in 2.04 s. The last 0.04 s aren't a separate segment.
  expect(read.peakBps).toBeCloseTo((109_000 * 8) / 2.04, 3);
  expect(read.averageBps).toBeCloseTo((159_000 * 8) / 4.04, 3);
});

test("ignores the rate of a short last segment", () => {
  const segment = (durationS: number, bytes: number) =>
    `#EXTINF:${durationS.toFixed(6)},\n#EXT-X-BYTERANGE:${bytes}@0\nv.mp4`;
  const even = [segment(2, 100_000), segment(2, 100_000)];
  expect(readPlaylist([...even, segment(0.6, 48_600)].join("\n")).peakBps).toBeCloseTo(
    (148_600 * 8) / 2.6,
    3,
  );
});

test("never returns an average above the peak", () => {
  const short = "#EXTINF:0.100000,\n#EXT-X-BYTERANGE:10000@0\nv.mp4";
  const { peakBps, averageBps } = readPlaylist(short);
  expect(peakBps).toBeGreaterThanOrEqual(averageBps);
});

test("lists size, codec, rate and audio in the multivariant playlist, starting in the middle", () => {
  const variant = (uri: string, width: number, height: number, peakBps: number) => ({
    uri,
    width,
    height,
    peakBps,
    averageBps: peakBps / 2,
    durationS: 4,
    fps: { num: 30000, den: 1001 },
    codec: "avc1.64001f",
  });
  const text = writeMasterPlaylist(
    [
      variant("v720.m3u8", 1280, 720, 3_000_000),
      variant("v480.m3u8", 854, 480, 1_500_000),
      variant("v360.m3u8", 640, 360, 800_000),
    ],
    [
      {
        name: "Sound",
        language: "und",
        kind: "main",
        channels: 2,
        uri: "audio.m3u8",
        durationS: 4,
        peakBps: 130_000,
        averageBps: 128_000,
      },
    ],
  );
  const lines = text.trimEnd().split("\n");
  expect(lines.slice(0, 3)).toEqual(["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-INDEPENDENT-SEGMENTS"]);
  expect(lines[3]).toContain('TYPE=AUDIO,GROUP-ID="sound"');
  expect(lines[4]).toBe(
    '#EXT-X-STREAM-INF:BANDWIDTH=1630000,AVERAGE-BANDWIDTH=878000,CODECS="avc1.64001f,mp4a.40.2",' +
      'RESOLUTION=854x480,FRAME-RATE=29.970,AUDIO="sound"',
  );
  expect(lines.filter((line) => line.endsWith(".m3u8"))).toEqual([
    "v480.m3u8",
    "v720.m3u8",
    "v360.m3u8",
  ]);
  expect(writeMasterPlaylist([variant("v.m3u8", 640, 360, 1)], [])).not.toContain("AUDIO");
});

test("reads the codec from the decoder configuration", () => {
  const head = Buffer.concat([
    Buffer.from("....stsdavc1....avcC", "latin1"),
    Buffer.from([1, 0x64, 0x00, 0x28, 0xff]),
  ]);
  expect(findCodec(head)).toBe("avc1.640028");
  expect(findCodec(Buffer.from("nothing"))).toBeNull();
  expect(findCodec(Buffer.from("avcC"))).toBeNull();
});

test("adds larger renditions after the one that players start with", () => {
  const facts = {
    durationS: 4,
    averageBps: 900_000,
    fps: { num: 25, den: 1 },
    codec: "avc1.640033",
  };
  const sound = {
    name: "Sound",
    language: "en",
    kind: "main" as const,
    channels: 2 as const,
    uri: "audio.m3u8",
    durationS: 4,
    peakBps: 130_000,
    averageBps: 128_000,
  };
  const at = (uri: string, height: number, peakBps: number) => ({
    ...facts,
    uri,
    width: (height * 16) / 9,
    height,
    peakBps,
  });
  const master = writeMasterPlaylist(
    [at("v1080.m3u8", 1080, 5e6), at("v360.m3u8", 360, 8e5)],
    [sound],
  );
  expect(listSoundUris(master)).toEqual(["audio.m3u8"]);
  const large = [at("x/v2160.m3u8", 2160, 15e6)];
  const all = writeMasterPlaylist(
    [...large, at("v1080.m3u8", 1080, 5e6), at("v360.m3u8", 360, 8e5)],
    [sound],
  );
  // The result is the same as when everything is made at once.
  expect(addVariants(master, large, [sound])).toBe(all);
  expect(() => addVariants("#EXTM3U\n", large, [])).toThrow("names no rendition");
});

test("reads profile, level, tier and depth of AV1", () => {
  const head = (...bytes: number[]) =>
    Buffer.concat([Buffer.from("....stsdav01....av1C", "latin1"), Buffer.from(bytes)]);
  expect(findCodec(head(0x81, 0x08, 0x0c, 0))).toBe("av01.0.08M.08");
  expect(findCodec(head(0x81, 0x2d, 0xc0, 0))).toBe("av01.1.13H.10");
  expect(findCodec(Buffer.from("av1C"))).toBeNull();
});

test("puts AV1 renditions after all others, with the same audio", () => {
  const at = (uri: string, codec: string) => ({
    uri,
    codec,
    width: 1280,
    height: 720,
    fps: { num: 25, den: 1 },
    durationS: 4,
    peakBps: 1e6,
    averageBps: 5e5,
  });
  const sound = {
    name: "Sound",
    language: "und",
    kind: "main" as const,
    channels: 2,
    uri: "audio.m3u8",
    durationS: 4,
    peakBps: 130_000,
    averageBps: 128_000,
  };
  const master = writeMasterPlaylist([at("v720.m3u8", "avc1.64001f")], [sound]);
  const both = appendVariants(master, [at("av1/x/v720.m3u8", "av01.0.05M.08")], [sound]);
  expect(both.startsWith(master)).toBe(true);
  expect(listVariantUris(both)).toEqual(["v720.m3u8", "av1/x/v720.m3u8"]);
  expect(both).toContain(
    'BANDWIDTH=1130000,AVERAGE-BANDWIDTH=628000,CODECS="av01.0.05M.08,mp4a.40.2"',
  );
  expect(both.endsWith("\n")).toBe(true);
  expect(both).not.toContain("VIDEO-RANGE");
  const hdr = { ...at("av1/hdr/x/v720.m3u8", "av01.0.05M.10"), videoRange: "PQ" as const };
  expect(appendVariants(master, [hdr], [sound])).toContain(
    'CODECS="av01.0.05M.10,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=25.000,VIDEO-RANGE=PQ,AUDIO="sound"',
  );
});
