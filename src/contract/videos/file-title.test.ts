import { expect, test } from "vitest";
import { titleFromName } from "./file-title.ts";

test("a file's name proposes a title", () => {
  expect(titleFromName("my_first-clip.mp4")).toBe("my first clip");
  expect(titleFromName("Night.in.the.City.2026.webm")).toBe("Night in the City 2026");
  expect(titleFromName("noextension")).toBe("noextension");
});
