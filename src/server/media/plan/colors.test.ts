import { expect, test } from "vitest";
import { exampleFacts } from "../facts/example-facts.fixture.ts";
import { dolbyVisionMatrix, type VideoFacts } from "../facts/media-facts.ts";
import { hasBrowserColors, nameCopiedColors, nameSourceColors, planColors } from "./colors.ts";

const { video: bt709 } = exampleFacts();
const unnamed = { ...bt709, colorMatrix: null, colorPrimaries: null, colorTransfer: null };
const pq = {
  ...{ ...bt709, isHdr: true, bitDepth: 10, pixelFormat: "yuv420p10le" },
  ...{ colorMatrix: "bt2020nc", colorPrimaries: "bt2020", colorTransfer: "smpte2084" },
};

const plan = (video: VideoFacts, preservesHdr = false) =>
  planColors(video, { preservesHdr, tablesFolder: "/tables" });
const named = (matrix: string, primaries = matrix, transfer = matrix) =>
  `setparams=range=tv:color_primaries=${primaries}:color_trc=${transfer}:colorspace=${matrix}`;

test.each([
  [1920, 1080, "bt709"],
  [1280, 720, "bt709"],
  [720, 1280, "bt709"],
  [1280, 718, "smpte170m"],
  [1280, 544, "smpte170m"],
])("guesses the colors of %d x %d like browsers", (codedWidth, codedHeight, matrix) => {
  const colors = nameSourceColors({ ...unnamed, codedWidth, codedHeight });
  expect(colors).toEqual({ matrix, primaries: matrix, transfer: matrix });
});

test("names the colors of a plain source without converting them", () => {
  expect(plan(bt709)).toEqual({ scaleOptions: "", format: "yuv420p", filters: [named("bt709")] });
  const sd = { ...unnamed, codedHeight: 480 };
  expect(plan(sd)).toMatchObject({ scaleOptions: "", filters: [named("smpte170m")] });
  const pal = { ...sd, colorMatrix: "bt470bg" };
  expect(plan(pal).filters).toEqual([named("bt470bg", "smpte170m", "smpte170m")]);
});

test("converts RGB, full range and other matrices", () => {
  expect(plan({ ...unnamed, pixelFormat: "gbrp", colorMatrix: "gbr" })).toMatchObject({
    ...{ scaleOptions: ":out_color_matrix=bt709:out_range=tv", filters: [named("bt709")] },
  });
  expect(plan({ ...bt709, isFullRange: true }).scaleOptions).toBe(":in_range=pc:out_range=tv");
  expect(plan({ ...bt709, colorMatrix: "smpte240m" })).toMatchObject({
    scaleOptions: ":in_color_matrix=smpte240m:out_color_matrix=bt709:in_range=tv:out_range=tv",
    filters: [named("bt709")],
  });
  // YUV that a program declared as RGB.
  expect(plan({ ...bt709, colorMatrix: "gbr" }).filters).toEqual([named("bt709")]);
});

test.each([
  ["PQ", pq, "smpte2084-bt2020"],
  ["HLG", { ...pq, colorTransfer: "arib-std-b67" }, "arib-std-b67-bt2020"],
  ["PQ with P3 primaries", { ...pq, colorPrimaries: "smpte432" }, "smpte2084-smpte432"],
  ["PQ without primaries", { ...pq, colorPrimaries: null }, "smpte2084-bt2020"],
  ["a screen with P3 primaries", { ...bt709, colorPrimaries: "smpte432" }, "bt709-smpte432"],
  ["PAL primaries", { ...bt709, colorPrimaries: "bt470bg" }, "bt709-bt470bg"],
  ["gamma 2.8", { ...bt709, colorTransfer: "bt470bg" }, "bt470bg-bt709"],
] as const)("converts %s with a table", (_, video, table) => {
  const { scaleOptions, format, filters } = plan(video);
  expect(scaleOptions).toMatch(/^:in_color_matrix=\w+:in_range=tv$/);
  expect(format).toBe("gbrp16le");
  expect(filters[0]).toBe(`lut3d=file=/tables/${table}.cube:interp=tetrahedral`);
  expect(filters.at(-1)).toBe(named("bt709"));
});

test("gives tables of unusual matrices the planes as they are", () => {
  const dolbyVision = { ...pq, colorMatrix: dolbyVisionMatrix, isFullRange: true };
  expect(plan(dolbyVision)).toMatchObject({
    ...{ scaleOptions: ":in_range=pc:out_range=pc", format: "yuv444p16le" },
    filters: expect.arrayContaining(["mergeplanes=0x000102:gbrp16le"]),
  });
});

test("preserves and names HDR", () => {
  expect(plan(pq, true)).toEqual({
    ...{ scaleOptions: "", format: "yuv420p10le" },
    filters: [named("bt2020nc", "bt2020", "smpte2084")],
  });
  const undeclared = { ...pq, colorMatrix: null, colorPrimaries: null };
  expect(plan(undeclared, true).filters).toEqual([named("bt2020nc", "bt2020", "smpte2084")]);
});

test("escapes the folder of the tables for a filter in a graph", () => {
  const { filters } = planColors(pq, { preservesHdr: false, tablesFolder: "/it's, C:[1]" });
  expect(filters[0]).toBe(
    String.raw`lut3d=file=/it\\\'s\, C\\:\[1\]/smpte2084-bt2020.cube:interp=tetrahedral`,
  );
});

test("names the colors of a copy unless the source names all of them", () => {
  expect(nameCopiedColors(bt709)).toEqual([]);
  expect(nameCopiedColors({ ...unnamed, codedHeight: 544, isFullRange: true })).toEqual([
    "-bsf:v",
    "h264_metadata=video_full_range_flag=1:colour_primaries=6:transfer_characteristics=6:matrix_coefficients=6",
  ]);
  expect(nameCopiedColors({ ...unnamed, colorMatrix: "bt709", codedHeight: 360 })[1]).toContain(
    "matrix_coefficients=1",
  );
});

test("knows which matrices browsers show", () => {
  expect(
    ["bt709", "bt470bg", "bt2020nc", "gbr", null].map((colorMatrix) =>
      hasBrowserColors({ ...bt709, colorMatrix }),
    ),
  ).toEqual([true, true, true, true, true]);
  expect(
    ["smpte240m", "ycgco"].map((colorMatrix) => hasBrowserColors({ ...bt709, colorMatrix })),
  ).toEqual([false, false]);
});
