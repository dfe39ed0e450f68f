// @vitest-environment happy-dom
import { renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { useFeedKeys } from "./use-feed-keys.ts";

test("acts once while a key is held, except for moves and seeking", () => {
  const actions = {
    move: vi.fn(),
    togglePlay: vi.fn(),
    toggleSound: vi.fn(),
    seekBy: vi.fn(),
    like: vi.fn(),
    toggleCaptions: vi.fn(),
  };
  const { unmount } = renderHook(() => useFeedKeys(actions));
  for (const key of ["l", " ", "m", "c", "ArrowRight"]) {
    for (const repeat of [false, true, true]) {
      const press = new KeyboardEvent("keydown", { key, repeat, cancelable: true });
      document.dispatchEvent(press);
      // The page must not scroll by a held Space either.
      expect(press.defaultPrevented).toBe(true);
    }
  }
  unmount();
  const calls = Object.entries(actions).map(([name, action]) => [name, action.mock.calls.length]);
  expect(Object.fromEntries(calls)).toEqual({
    move: 0,
    togglePlay: 1,
    toggleSound: 1,
    seekBy: 3,
    like: 1,
    toggleCaptions: 1,
  });
});
