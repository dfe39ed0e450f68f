// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { closedSlotsKey, dropRefused } from "#web/lib/device-storage.ts";
import { closeSlot } from "./close-slot.ts";
import { isSlotClosed, readClosedSlots } from "./closed-slots.ts";

beforeEach(() => localStorage.clear());
afterEach(() => {
  vi.useRealTimers();
});

test("keeps each slot closed for half an hour", () => {
  vi.useFakeTimers();
  expect(isSlotClosed("header")).toBe(false);
  closeSlot("header");
  vi.advanceTimersByTime(20 * 60_000);
  closeSlot("footer");
  expect((["header", "footer", "sidebar"] as const).map(isSlotClosed)).toEqual([true, true, false]);
  vi.advanceTimersByTime(10 * 60_000);
  expect((["header", "footer", "sidebar"] as const).map(isSlotClosed)).toEqual([
    false,
    true,
    false,
  ]);
  closeSlot("header");
  vi.advanceTimersByTime(29 * 60_000);
  expect((["header", "footer"] as const).map(isSlotClosed)).toEqual([true, false]);
});

test("accepts only valid stored values that expire within half an hour", () => {
  const now = 1_767_225_600_000;
  for (const stored of [null, "", "header", "header@", "header@x", "header@NaN", `header@${now}`]) {
    expect(readClosedSlots(stored, now)).toEqual(new Map());
  }
  expect(readClosedSlots(`header@${now + 1800_001} footer@${now + 1}`, now)).toEqual(
    new Map([["footer", now + 1]]),
  );
});

test("keeps a slot closed until the page is closed without storage", () => {
  vi.stubGlobal("localStorage", undefined);
  closeSlot("header");
  expect((["header", "footer"] as const).map(isSlotClosed)).toEqual([true, false]);
  vi.unstubAllGlobals();
  dropRefused(closedSlotsKey);
});
