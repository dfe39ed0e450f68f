import { expect, test } from "vitest";
import { spreadMoments } from "./frame-picker.ts";

test("returns evenly spaced times inside the video", () => {
  expect(spreadMoments(80, 4)).toEqual([10, 30, 50, 70]);
});
