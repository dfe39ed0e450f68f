import { expect, test } from "vitest";
import { exampleFacts } from "../facts/example-facts.fixture.ts";
import { listDecoderErrors } from "./decoder-errors.ts";
import { parseRatio, probedFrame, probedInfo, probedStream } from "./ffprobe-output.ts";
import { readGeometry, toAudioFacts, toVideoFacts } from "./stream-facts.ts";
import { findTrack } from "./edit-list.ts";
import { readKind } from "./magic.ts";
import { readMovie } from "./outer-structure.ts";
import { toSource } from "./read-at.ts";
import { readOrientation } from "./orientation.ts";
import { chooseVideo, findHalves, listMoving } from "./choose-streams.ts";
import { createPacketEnds } from "./prober.ts";
import { listNotices } from "./notices.ts";
import { measureDrift, summarise } from "./scan.ts";

const kindOf = (text: string) => readKind(Buffer.from(text, "latin1"));

test.each([
  ["\0\0\0\x20ftypisom", "mov"],
  ["\0\0\0\x08wide\0\0\0\0mdat", "mov"],
  ["\x1a\x45\xdf\xa3", "matroska"],
  ["RIFF\x01\x02\x03\x04AVI LIST", "avi"],
])("recognises %j as a video (%s)", (text, container) => {
  expect(kindOf(text)).toEqual({ kind: "video", container });
});

test.each([
  ["", "empty", undefined],
  ["hello", "unknown", undefined],
  ["FLV\x01", "other", "FLV"],
  ["\0\0\0\x20ftypheic", "other", "HEIC"],
  ["\0\0\0\x20ftypM4A ", "other", "M4A"],
  ["\uFEFF#EXTM3U", "unknown", undefined],
  ["\n  <svg", "other", "XML"],
  ["#EXTM3U\n", "other", "playlist"],
  ["\xff\xd8\xff\xe0", "picture", "JPEG"],
  ["RIFF\0\0\0\0WEBPVP8 ", "picture", "WebP"],
  ["RIFF\0\0\0\0WAVE", "other", "WAV"],
])("rejects %j as a video", (text, kind, name) => {
  const read = kindOf(text);
  expect(read.kind).toBe(kind);
  if (name !== undefined) expect(read).toMatchObject({ name: expect.stringContaining(name) });
});

const videoTrack = (index: number, change: object) => ({
  ...{ index, codec_type: "video", codec_name: "h264", avg_frame_rate: "25/1", duration: "6" },
  ...change,
});
const isDefault = { disposition: { default: 1 } };

test.each([
  ["a cover picture", { disposition: { default: 1, attached_pic: 1 } }],
  ["a single frame", { ...isDefault, codec_name: "mjpeg", nb_frames: "1", duration: "0.04" }],
  ["a single frame as long as the video", { ...isDefault, nb_frames: "1" }],
  [
    "a single frame in Matroska",
    { ...isDefault, duration: undefined, tags: { DURATION: "00:00:00.040000000" } },
  ],
  ["a track of thumbnails", { ...isDefault, codec_name: "mjpeg", avg_frame_rate: "1/1" }],
])("plays the moving picture, not %s", (_, still) => {
  const info = probedInfo.parse({ streams: [videoTrack(0, still), videoTrack(1, {})] });
  expect(chooseVideo(info, false).index).toBe(1);
  expect(listMoving(info)).toHaveLength(1);
});

test("plays the default track of two moving pictures, however slow it is", () => {
  const slides = videoTrack(1, { ...isDefault, avg_frame_rate: "1/2" });
  const info = probedInfo.parse({ streams: [videoTrack(0, {}), slides] });
  expect(chooseVideo(info, false).index).toBe(1);
});

test("plays a single frame if nothing moves", () => {
  const still = videoTrack(0, { codec_name: "mjpeg", nb_frames: "1", duration: "0.04" });
  expect(chooseVideo(probedInfo.parse({ streams: [still] }), false).index).toBe(0);
});

test("finds stereo in two tracks, but no other sound of one channel", () => {
  const find = (...layouts: [speaker: string, language?: string, endS?: number][]) => {
    const { streams } = probedInfo.parse({
      streams: layouts.map(([speaker, language = "und"], index) => ({
        ...{ index, codec_type: "audio", channels: 1, tags: { language } },
        channel_layout: speaker === "" ? "mono" : `1 channels (${speaker})`,
      })),
    });
    const endOf = ({ index }: { index: number }) => layouts[index]?.[2] ?? 5;
    const { left, right } = findHalves(streams, () => null, endOf) ?? {};
    return [left?.index, right?.index];
  };
  const none = [undefined, undefined];
  expect(find(["FR"], ["FL"], [""])).toEqual([1, 0]);
  expect(find([""], [""])).toEqual(none);
  expect(find(["FL"])).toEqual(none);
  expect(find(["FL"], ["FR"], ["FL"])).toEqual(none);
  expect(find(["FL", "eng"], ["FR", "deu"])).toEqual(none);
  expect(find(["FL", "und", 5], ["FR", "und", 4])).toEqual(none);
});

test("parses the fractions of ffprobe", () => {
  expect(parseRatio("30000/1001")).toEqual({ num: 30000, den: 1001 });
  expect(parseRatio("16:9")).toEqual({ num: 16, den: 9 });
  for (const text of ["0/0", "0/1", "1/0", "N/A", "", undefined]) {
    expect(parseRatio(text)).toBeNull();
  }
});

const stream = (change: object) =>
  probedStream.parse({ index: 0, codec_type: "video", width: 1920, height: 1080, ...change });
const noFrame = probedFrame.parse({});
const matrixOf = (a: number, b: number, c: number, d: number) => ({
  side_data_list: [
    {
      side_data_type: "Display Matrix",
      displaymatrix: `\n00000000: ${a} ${b} 0\n00000001: ${c} ${d} 0\n00000002: 0 0 1073741824\n`,
    },
  ],
});
const one = 65536;

test("reads an upright picture without a display matrix", () => {
  expect(readGeometry(stream({}), noFrame)).toMatchObject({
    ...{ width: 1920, height: 1080, rotationDeg: 0, isMirrored: false, displayMatrix: "plain" },
  });
});

test.each([
  ["identity", [one, 0, 0, one], 0, false, "plain"],
  ["right", [0, one, -one, 0], 90, false, "plain"],
  ["half", [-one, 0, 0, -one], 180, false, "plain"],
  ["left", [0, -one, one, 0], 270, false, "plain"],
  ["left to right", [-one, 0, 0, one], 0, true, "unusual"],
  ["top to bottom", [one, 0, 0, -one], 180, true, "unusual"],
  ["transposed", [0, one, one, 0], 270, true, "unusual"],
  ["transposed along the other diagonal", [0, -one, -one, 0], 90, true, "unusual"],
  ["right, twice as large", [0, 2 * one, -2 * one, 0], 90, false, "unusual"],
  ["right, rounded", [20, 65530, -65534, 3], 90, false, "unusual"],
  ["zeros", [0, 0, 0, 0], 0, false, "unusual"],
  ["45 degrees", [46341, 46341, -46341, 46341], 0, false, "ignored"],
  ["sheared", [one, 30000, 0, one], 0, false, "ignored"],
] as const)("reads a display matrix: %s", (_, cells, rotationDeg, isMirrored, displayMatrix) => {
  const [a, b, c, d] = cells;
  const geometry = readGeometry(stream(matrixOf(a, b, c, d)), noFrame);
  expect(geometry).toMatchObject({ rotationDeg, isMirrored, displayMatrix });
  expect(geometry.width).toBe(rotationDeg % 180 === 0 ? 1920 : 1080);
});

test("stretches one side by pixel ratios, ignores implausible ones, and uses decoded sizes", () => {
  const shown = (ratio: string, frame = {}) => {
    const { width, height } = readGeometry(
      stream({ sample_aspect_ratio: ratio }),
      probedFrame.parse(frame),
    );
    return `${width}x${height}`;
  };
  expect(shown("4:3")).toBe("2560x1080");
  expect(shown("1:2")).toBe("1920x2160");
  expect(shown("1000:1")).toBe("1920x1080");
  expect(shown("1:1", { width: 640, height: 360 })).toBe("640x360");
});

test("ignores reserved names of colors, but reports them", () => {
  const measured = { endS: 1, isCleanStart: true, timeline: null, hasSeveralConfigs: false };
  const read = (colors: object) =>
    toVideoFacts(stream({}), [probedFrame.parse(colors)], { ...measured, durationS: 1 });
  expect(read({ color_space: "reserved", color_transfer: "arib-std-b67" })).toMatchObject({
    ...{ colorMatrix: null, colorTransfer: "arib-std-b67", isHdr: true, hasReservedColors: true },
  });
  expect(read({ color_space: "unknown" }).hasReservedColors).toBe(false);
});

test("removes packets from JSON that arrives in chunks of any size", () => {
  const text = `{
    "packets": [
        { "stream_index": 0, "pts_time": "1.000000", "duration_time": "0.040000" },
        { "stream_index": 1, "dts_time": "2.000000",
            "side_data_list": [
                {  }
            ] },
        { "stream_index": 0, "pts_time": "0.960000", "duration_time": "0.040000" },
        { "stream_index": 2 }
    ],
    "streams": [
        { "index": 0 }
    ]
}`;
  for (const size of [1, 7, 1000]) {
    const ends = createPacketEnds();
    for (let i = 0; i < text.length; i += size) ends.add(Buffer.from(text.slice(i, i + size)));
    expect([...ends.endsS()]).toEqual([
      [0, 1.04],
      [1, 2],
    ]);
    expect(JSON.parse(ends.rest().toString())).toEqual({ streams: [{ index: 0 }] });
  }
});

/** Returns a box of an MP4 with this content. */
function box(type: string, ...content: Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.reduce((sum, part) => sum + part.length, 0));
  head.write(type, 4, "latin1");
  return Buffer.concat([head, ...content]);
}

test("counts the sample descriptions of each track", async () => {
  const track = (id: number, ...codecs: string[]) => {
    const header = Buffer.alloc(84);
    header.writeUInt32BE(id, 12);
    const count = Buffer.alloc(8);
    count.writeUInt32BE(codecs.length, 4);
    const entries = codecs.map((codec) => box(codec, Buffer.alloc(78)));
    const table = box("stbl", box("stsd", count, ...entries));
    return box("trak", box("tkhd", header), box("mdia", box("minf", table)));
  };
  const file = box("moov", track(1, "mp4a"), track(2, "avc1", "avc1"));
  const { tracks } = await readMovie(toSource(file), file.length);
  expect(findTrack(tracks, { id: "0x1" })?.descriptions).toBe(1);
  expect(findTrack(tracks, { id: "0x2" })?.descriptions).toBe(2);
});

test.each([
  [1, "1 channels (BC)", true],
  [2, undefined, true],
  [2, "stereo", true],
  [2, "2 channels (BL+BR)", false],
  [2, "2 channels (FL+FC)", false],
  [4, "ambisonic 1", false],
  [4, "4 channels (BL+BR+SL+SR)", false],
  [4, "4 channels (FL+FR+TFL+TFR)", true],
  [6, "5.1(side)", true],
  [8, "unknown", true],
  [10, "unknown", false],
])("reads whether %i channels of the layout %j can be mixed", (channels, layout, isMixable) => {
  const track = probedStream.parse({ index: 1, channels, channel_layout: layout });
  const plays = { startS: 0, endS: 1, timeline: null, hasSeveralConfigs: false };
  expect(toAudioFacts(track, plays).isMixable).toBe(isMixable);
});

test("ignores errors about ignored streams", () => {
  expect(
    listDecoderErrors(
      "[srt @ 0x1] Codec (srt) not on whitelist\n  Last message repeated 1 times\n\n",
    ),
  ).toEqual([]);
  expect(listDecoderErrors("[h264 @ 0x1] error while decoding MB 1 2\n")).toHaveLength(1);
});

const keptParts = {
  ...{ videoStream: stream({}), video: exampleFacts().video, audio: null, soundCount: 0 },
  ...{ lostSound: null, hasEncryptedAudio: false, hasSecondMovie: false, cut: null, hiddenS: 0 },
};

test.each([
  [["subrip"], []],
  [["hdmv_pgs_subtitle"], ["A subtitle track contains images instead of text and isn't shown."]],
  [["eia_608"], ["A subtitle track has a format that can't be read and isn't shown."]],
  [
    ["dvd_subtitle", "ttml", "dvb_subtitle", undefined],
    [
      "2 subtitle tracks contain images instead of text and aren't shown.",
      "2 subtitle tracks have formats that can't be read and aren't shown.",
    ],
  ],
])("gives the reason why subtitles of %j aren't shown", (codecs, notices) => {
  const subtitles = codecs.map((codec, i) => ({
    ...{ index: i + 1, codec_type: "subtitle", codec_name: codec },
  }));
  const info = probedInfo.parse({ streams: [videoTrack(0, {}), ...subtitles] });
  expect(listNotices(info, keptParts)).toEqual(notices);
});

test.each([
  [4, 2.1, "The file is incomplete: only 2.1 s of 4 s could be read."],
  [4, 3.9, "The file is incomplete: only 3.9 s of 4 s could be read."],
  [3.604, 3.6, "The file is incomplete: its end is missing."],
  [0, 3.6, "The file is incomplete: its end is missing."],
])("reports a missing end: %d s declared, %d s measured", (declaredS, measuredS, notice) => {
  const info = probedInfo.parse({ streams: [videoTrack(0, {})] });
  const cut = { declaredS, measuredS };
  expect(listNotices(info, { ...keptParts, cut })).toEqual([notice]);
});

test("ignores malformed Exif", () => {
  expect(readOrientation(Buffer.alloc(0))).toBeNull();
  expect(readOrientation(Buffer.from("ffd8ffe1ffff45786966", "hex"))).toBeNull();
  expect(
    readOrientation(Buffer.from("ffd8ffe100104578696600004d4d002affffffff", "hex")),
  ).toBeNull();
  expect(readOrientation(Buffer.from("ffd8ffe1000a457869660000", "hex"))).toBeNull();
});

test("computes rates and keyframe distances from packet times in any order", () => {
  const facts = exampleFacts({ durationS: 4 });
  const even = Array.from({ length: 100 }, (_, i) => i / 25);
  const plain = summarise(even.toReversed(), [0, 2], facts);
  expect(plain).toMatchObject({ packetCount: 100, isVariable: false, maxKeyframeGapS: 2 });
  expect(plain.averageFps).toBeCloseTo(25, 6);
  expect(plain.medianFps).toBeCloseTo(25, 6);

  const rounded = even.map((time) => Math.round(time * 1000) / 1000);
  expect(summarise(rounded, [0], facts)).toMatchObject({ isVariable: false, maxKeyframeGapS: 4 });
  const paused = Array.from({ length: 6000 }, (_, i) => i / 60 + (i < 3000 ? 0 : 1)).map(
    (time) => Math.round(time * 1000) / 1000,
  );
  const measured = summarise(paused, [0], { durationS: 101 });
  expect(measured.isVariable).toBe(false);
  expect(measured.averageFps).toBeCloseTo(59.41, 2);
  expect(measured.steadyFps).toBeCloseTo(60, 2);
  const uneven = even.filter((_, i) => i % 10 < 6);
  expect(summarise(uneven, [0], facts).isVariable).toBe(true);
  expect(summarise([], [], facts)).toMatchObject({
    averageFps: 0,
    steadyFps: 0,
    isVariable: false,
  });
  expect(summarise([0], [0], facts)).toMatchObject({ averageFps: 0, maxKeyframeGapS: 4 });
});

test("measures how far the times of AAC packets are from sound without gaps", () => {
  const packetS = 1024 / 48_000;
  const times = Array.from({ length: 100 }, (_, i) => i * packetS);
  const drift = (changed: number[]) => measureDrift(changed, { sampleRate: 48_000 });
  expect(drift(times)).toBeCloseTo(0);
  expect(drift(times.map((time) => Math.round(time * 1000) / 1000))).toBeLessThan(0.001);
  expect(drift(times.map((time, i) => (i < 40 ? time : time + 0.7)))).toBeCloseTo(0.7);
  expect(drift(times.map((time) => time * 1.04))).toBeCloseTo(99 * packetS * 0.04);
  expect(measureDrift([0, 2048 / 44_100], { sampleRate: 44_100 })).toBeCloseTo(0);
  expect(drift([])).toBe(0);
});
