// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";
import { closeSlot, isSlotClosed } from "./closed-slots.ts";

beforeEach(() => sessionStorage.clear());

test("closed slots are kept for the tab, each for itself", () => {
  expect(isSlotClosed("header")).toBe(false);
  closeSlot("header");
  closeSlot("footer");
  closeSlot("header");
  expect(["header", "footer", "sidebar"].map((name) => isSlotClosed(name as "header"))).toEqual([
    true,
    true,
    false,
  ]);
  // The boot script matches the words of this value.
  expect(sessionStorage.getItem("spots-closed")).toBe("header footer");
});

test("without storage no slot counts as closed", () => {
  vi.stubGlobal("sessionStorage", undefined);
  expect(() => closeSlot("header")).not.toThrow();
  expect(isSlotClosed("header")).toBe(false);
  vi.unstubAllGlobals();
});
