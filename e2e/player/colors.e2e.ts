import { afterAll, beforeAll, expect, test } from "vitest";
import type { ColorSource } from "#test/color-clips.ts";
import { h264Of, openColorLab } from "../support/color-fields.ts";

let lab: Awaited<ReturnType<typeof openColorLab>>;
beforeAll(async () => {
  lab = await openColorLab();
});
afterAll(() => lab[Symbol.asyncDispose]());

const h264 = { encoder: h264Of(), pixelFormat: "yuv420p" } as const;

// The nightly tier has about thirty sources.
test.each<ColorSource>([
  { ...h264, name: "unnamed-544.mp4", size: "1284x544", matrix: "bt601" },
  {
    ...{ ...h264, name: "full-range-444.mp4", size: "636x360", pixelFormat: "yuv444p" },
    ...{ matrix: "bt709", isFullRange: true, declared: { matrix: "bt709" } },
  },
])("shows the colors of $name in every file", async (source) => {
  expect((await lab.listWrongFiles(source)).join("\n")).toBe("");
});
