// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { isClaimed } from "./key-targets.ts";

test("leaves keys to a menu, but not to a seek bar", () => {
  const focused = document.createElement("div");
  focused.setAttribute("role", "slider");
  for (const key of [" ", "k", "m"]) expect(isClaimed(focused, key)).toBe(false);
  focused.setAttribute("role", "menuitem");
  expect(isClaimed(focused, "k")).toBe(true);
});
