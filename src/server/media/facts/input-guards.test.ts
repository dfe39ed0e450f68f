import { expect, test } from "vitest";
import { valueAfter } from "./example-facts.fixture.ts";
import { av1Decoders, guardInput, guardPicture, guardProbe, ownInput } from "./input-guards.ts";

test.each([
  ["a video", guardInput("matroska", "/data/-i.mp4"), "matroska"],
  ["a probe", guardProbe("mov", "/data/-i.mp4"), "mov"],
  ["a picture", guardPicture("png_pipe", "/data/-i.mp4"), "png_pipe"],
])("guards %s with a forced demuxer, local files and listed decoders", (_, args, format) => {
  expect(args.slice(-4)).toEqual(["-f", format, "-i", "file:/data/-i.mp4"]);
  expect(valueAfter(args, "-protocol_whitelist")).toBe("file");
  expect(valueAfter(args, "-format_whitelist")?.split(",")).toContain(format);
  expect(valueAfter(args, "-max_pixels")).toBe("36000000");
  const decoders = valueAfter(args, "-codec_whitelist")?.split(",") ?? [];
  expect(decoders.length).toBeGreaterThan(0);
  for (const dangerous of ["magicyuv", "hls", "concat", "svg", "librsvg", "exr", "tiff"]) {
    expect(decoders).not.toContain(dangerous);
  }
});

test("allows no demuxer that opens other files", () => {
  for (const args of [guardInput("mov", "/f"), guardProbe("avi", "/f"), ownInput("/f")]) {
    expect(args.join(" ")).not.toMatch(/\b(hls|dash|concat|image2|lavfi|http|tcp|data)\b/);
  }
});

test("opens the decoders of ignored streams without using them for stream analysis", () => {
  const args = guardProbe("matroska", "/f", ["dca"]);
  expect(valueAfter(args, "-codec_whitelist:a")).toContain("dca");
  expect(valueAfter(args, "-codec_whitelist")).not.toContain("dca");
});

test("allows every AV1 decoder that the search for tools accepts", () => {
  for (const args of [guardInput("mov", "/f"), guardProbe("matroska", "/f")]) {
    const decoders = valueAfter(args, "-codec_whitelist")?.split(",");
    expect(decoders).toEqual(expect.arrayContaining(av1Decoders));
  }
});
