import { afterAll, beforeAll, expect, test } from "vitest";
import type { ColorSource } from "#test/color-clips.ts";
import { h264Of, openColorLab } from "../support/color-fields.ts";

let lab: Awaited<ReturnType<typeof openColorLab>>;
beforeAll(async () => {
  lab = await openColorLab();
});
afterAll(() => lab[Symbol.asyncDispose]());

const sizes = ["636x360", "1284x544", "1284x720"] as const;
const bt601 = { matrix: "smpte170m", primaries: "smpte170m", transfer: "smpte170m" };
const bt709 = { matrix: "bt709", primaries: "bt709", transfer: "bt709" };

/** H.264 of each size: without names, with all names, and with only the matrix. */
const named = sizes.flatMap((size): ColorSource[] => {
  const base = { size, encoder: h264Of(), pixelFormat: "yuv420p" } as const;
  // Browsers guess BT.709 from 720 lines.
  const guess = size.endsWith("x720") ? "bt709" : "bt601";
  return [
    { ...base, name: `unnamed-${size}.mp4`, matrix: guess },
    { ...base, name: `bt601-${size}.mp4`, matrix: "bt601", declared: bt601 },
    { ...base, name: `bt709-${size}.mp4`, matrix: "bt709", declared: bt709 },
    { ...base, name: `only-bt601-${size}.mp4`, matrix: "bt601", declared: { matrix: "smpte170m" } },
    { ...base, name: `only-bt709-${size}.mkv`, matrix: "bt709", declared: { matrix: "bt709" } },
  ];
});

const size = "636x360";
const yuv = { size, encoder: h264Of(), matrix: "bt709", declared: bt709 } as const;

const others: ColorSource[] = [
  { ...yuv, name: "full-709.mp4", pixelFormat: "yuv420p", isFullRange: true },
  {
    ...{ ...yuv, name: "full-601.mp4", pixelFormat: "yuv420p", isFullRange: true },
    ...{ matrix: "bt601", declared: {} },
  },
  { ...yuv, name: "full-720.mov", pixelFormat: "yuv420p", isFullRange: true, size: "1284x720" },
  {
    ...yuv,
    name: "pal.mp4",
    pixelFormat: "yuv420p",
    matrix: "bt601",
    declared: { matrix: "bt470bg" },
  },
  { ...yuv, name: "yuv422.mp4", pixelFormat: "yuv422p" },
  { ...yuv, name: "yuv444.mp4", pixelFormat: "yuv444p" },
  { ...yuv, name: "yuv444-full.mkv", pixelFormat: "yuv444p", isFullRange: true },
  { ...yuv, name: "ten-bits.mp4", pixelFormat: "yuv420p10le" },
  {
    ...yuv,
    name: "fcc.mp4",
    pixelFormat: "yuv420p",
    matrix: "fcc",
    declared: { ...bt709, matrix: "fcc" },
  },
  {
    ...{ ...yuv, name: "smpte240m.mp4", pixelFormat: "yuv420p", matrix: "smpte240m" },
    declared: { ...bt709, matrix: "smpte240m" },
  },
  {
    ...{ ...yuv, name: "bt2020.mp4", pixelFormat: "yuv420p", matrix: "bt2020" },
    declared: { ...bt709, matrix: "bt2020nc" },
  },
  { size, name: "rgb.mkv", pixelFormat: "rgb24", encoder: ["-c:v", "libx264rgb", "-qp", "8"] },
  { size, name: "rgb-lossless.mkv", pixelFormat: "gbrp", encoder: ["-c:v", "ffv1"] },
  { size, name: "rgb.mov", pixelFormat: "rgb24", encoder: ["-c:v", "qtrle"] },
  { ...yuv, name: "prores.mov", pixelFormat: "yuv422p10le", encoder: ["-c:v", "prores_ks"] },
  {
    ...{ size, name: "photos.avi", pixelFormat: "yuvj420p", matrix: "bt601", isFullRange: true },
    encoder: ["-c:v", "mjpeg", "-q:v", "2"],
  },
  {
    size,
    name: "mpeg4.avi",
    pixelFormat: "yuv420p",
    matrix: "bt601",
    encoder: ["-c:v", "mpeg4", "-q:v", "2"],
  },
  {
    ...{ ...yuv, name: "vp9.webm", pixelFormat: "yuv420p" },
    encoder: ["-c:v", "libvpx-vp9", "-crf", "10", "-b:v", "0", "-deadline", "realtime"],
  },
];

test.each([...named, ...others])("shows the colors of $name in every file", async (source) => {
  expect((await lab.listWrongFiles(source)).join("\n")).toBe("");
});
