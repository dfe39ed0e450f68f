import { expect, test } from "vitest";
import { spreadMoments } from "./frame-picker.ts";

test("spreads moments evenly inside the video", () => {
  expect(spreadMoments(80, 4)).toEqual([10, 30, 50, 70]);
});
