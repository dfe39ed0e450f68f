import { expect, test } from "vitest";
import { exampleAbilities as all, exampleFacts } from "../facts/example-facts.fixture.ts";
import { inputOptions, planVideoFilter } from "./video-filter.ts";

const none = { ...all, hasDeinterlacer: false };
const target = { width: 1280, height: 720, fps: { num: 25, den: 1 } };

/** Matches filters that scale all frames to one size and name their colors. */
const convert = (format: string, names: string) =>
  String.raw`scale=w='\S+':h='\S+':eval=frame,format=${format},pad=1280:720:\S+:eval=frame,setparams=range=tv:${names}`;
const bt709 = "color_primaries=bt709:color_trc=bt709:colorspace=bt709";

test("converts a plain source to size, square pixels and frame rate", () => {
  expect(planVideoFilter(exampleFacts().video, target, all)).toMatch(
    new RegExp(`^${convert("yuv420p", bt709)},setsar=1,fps=25/1:start_time=0$`),
  );
});

test("mirrors and rotates frames, before a sideways target is filled", () => {
  const filterOf = (rotationDeg: 0 | 90 | 180 | 270, isMirrored: boolean) =>
    planVideoFilter({ ...exampleFacts().video, rotationDeg, isMirrored }, target, all);
  const end = "sidedata=delete:type=DISPLAYMATRIX,fps=25/1:start_time=0";
  expect(filterOf(90, false)).toContain(`setsar=1,transpose=clock,${end}`);
  expect(filterOf(90, false)).toContain("pad=720:1280");
  expect(filterOf(180, false)).toContain(`setsar=1,hflip,vflip,${end}`);
  expect(filterOf(270, true)).toContain(`setsar=1,hflip,transpose=cclock,${end}`);
  expect(filterOf(0, true)).toContain(`setsar=1,hflip,${end}`);
  expect(filterOf(0, false)).not.toContain("sidedata");
});

test("lets ffmpeg neither rotate nor start the filters over, except to deinterlace", () => {
  const { video } = exampleFacts();
  expect(inputOptions(video, all)).toEqual(["-noautorotate", "-reinit_filter:v", "0"]);
  expect(inputOptions({ ...video, isInterlaced: true }, all)).toEqual(["-noautorotate"]);
});

test("replaces reserved colors in the packets if filters would refuse them", () => {
  const colors = { colorMatrix: null, colorPrimaries: "bt2020", colorTransfer: "arib-std-b67" };
  const reserved = { ...exampleFacts().video, ...colors, isHdr: true, hasReservedColors: true };
  const hevc = { ...reserved, index: 3, codec: "hevc" };
  expect(inputOptions(hevc, all).slice(-2)).toEqual([
    "-bsf:3",
    "hevc_metadata=video_full_range_flag=0:colour_primaries=9:transfer_characteristics=18:matrix_coefficients=9",
  ]);
  const unnamed = { ...reserved, colorPrimaries: null, colorTransfer: null, isHdr: false };
  expect(inputOptions(unnamed, all).at(-1)).toBe(
    "h264_metadata=video_full_range_flag=0:colour_primaries=1:transfer_characteristics=1:matrix_coefficients=1",
  );
  expect(inputOptions(hevc, { refusesReservedColors: false })).not.toContain("-bsf:3");
  expect(inputOptions({ ...hevc, codec: "vp9" }, all)).not.toContain("-bsf:3");
});

test("drops frames before other filters", () => {
  const video = { ...exampleFacts().video, fps: { num: 120, den: 1 } };
  const filter = planVideoFilter(video, { ...target, fps: { num: 60, den: 1 } }, all);
  expect(filter).toMatch(/^fps=60\/1:start_time=0,scale=/);
});

test("deinterlaces interlaced sources if ffmpeg can", () => {
  const video = { ...exampleFacts().video, isInterlaced: true };
  expect(planVideoFilter(video, target, all)).toMatch(/^bwdif=mode=send_frame:deint=interlaced,/);
  expect(planVideoFilter(video, target, none)).not.toContain("bwdif");
});

test.each([
  ["bt709", /^scale=/],
  ["gbr", /^scale=/],
  ["bt2020c", /^setparams=colorspace=bt2020nc,scale=\S+:in_color_matrix=bt2020:/],
  ["ictcp", /^setparams=colorspace=smpte170m,scale=\S+:in_color_matrix=bt601:/],
  ["ycgco", /^setparams=colorspace=smpte170m,scale=\S+,mergeplanes=/],
])("passes frames to the scaler with a matrix that it reads: %s", (colorMatrix, expected) => {
  expect(planVideoFilter({ ...exampleFacts().video, colorMatrix }, target, all)).toMatch(expected);
});

test("tone-maps HDR after scaling, unless the target preserves it", () => {
  const colors = { colorMatrix: "bt2020nc", colorPrimaries: "bt2020", colorTransfer: "smpte2084" };
  const video = { ...exampleFacts().video, ...colors, isHdr: true };
  expect(planVideoFilter(video, target, all)).toMatch(
    /^scale=\S+,pad=1280:720\S+,lut3d=file=\/tables\/smpte2084-bt2020\.cube\S+fps=/,
  );
  const names = "color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc";
  expect(planVideoFilter(video, { ...target, isHdr: true }, all)).toMatch(
    new RegExp(`^${convert("yuv420p10le", names)},setsar=1,fps=25/1:start_time=0$`),
  );
});
