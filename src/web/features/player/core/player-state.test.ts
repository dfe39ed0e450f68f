import { expect, test, vi } from "vitest";
import { createStore } from "#web/lib/store.ts";
import { bufferedAheadS, emptyState, chooseOverlay, type PlayerState } from "./player-state.ts";

const playing: PlayerState = { ...emptyState, isPlayable: true, isPaused: false, hasStarted: true };

test.each<[string, Partial<PlayerState>, string]>([
  ["until playable", { isPlayable: false }, "loading"],
  ["while buffering", { isBuffering: true }, "loading"],
  ["while paused", { isPaused: true }, "play"],
  ["while playing", {}, "none"],
  ["while an ad is loading", { adSlot: "preroll", isPaused: true }, "loading"],
  ["while an ad is shown", { adSlot: "preroll", isAdVisible: true, isPaused: true }, "none"],
  ["during a fault", { fault: { kind: "offline", isRetrying: true }, isPaused: true }, "fault"],
])("chooses the overlay %s", (_when, patch, overlay) => {
  expect(chooseOverlay({ ...playing, ...patch })).toBe(overlay);
});

test("counts only what is buffered ahead without a gap", () => {
  const spans = [
    { startS: 0, endS: 10 },
    { startS: 20, endS: 30 },
  ];
  expect(bufferedAheadS(spans, 4)).toBe(6);
  expect(bufferedAheadS(spans, 12)).toBe(0);
  expect(bufferedAheadS(spans, 19.95)).toBeCloseTo(10.05);
});

test("calls listeners only when something changes", () => {
  const store = createStore({ a: 1, b: 2 });
  const listener = vi.fn();
  const stop = store.subscribe(listener);
  store.commit({ a: 1 });
  expect(listener).not.toHaveBeenCalled();
  store.commit({ a: 2 });
  expect(store.get()).toEqual({ a: 2, b: 2 });
  stop();
  store.commit({ a: 3 });
  expect(listener).toHaveBeenCalledTimes(1);
});
