// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { act, render } from "@testing-library/react";
import { createStore } from "#web/lib/store.ts";
import type { Player } from "#web/features/player/core/player.ts";
import { emptyState, type PlayerState } from "#web/features/player/core/player-state.ts";
import { useLoadLevels } from "./use-feed-players.ts";

function fakePlayer() {
  const store = createStore<PlayerState>({ ...emptyState, durationS: 60 });
  return { store, player: { store } as Partial<Player> as Player };
}

/** Returns the load levels of the places 0 to 3 while place 1 is on screen. */
function start({ isAd = false } = {}) {
  const slots = [fakePlayer(), fakePlayer(), fakePlayer(), fakePlayer()];
  function Feed() {
    const levelOf = useLoadLevels({
      place: 1,
      direction: 1,
      playerAt: (place) => slots[place]?.player ?? null,
      isAd,
    });
    return [0, 1, 2].map(levelOf).join(" ");
  }
  const { container } = render(<Feed />);
  return {
    levels: () => container.textContent.split(" "),
    commit: (place: number, patch: Partial<PlayerState>) =>
      act(async () => slots[place]?.store.commit(patch)),
  };
}

const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const bufferedTo = (endS: number) => ({
  hasFrame: true,
  isPlayable: true,
  buffered: [{ startS: 0, endS }],
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  Reflect.deleteProperty(navigator, "connection");
});

test("loads the active clip, the next clip's first frame, the rest of it, then the other neighbor", async () => {
  const { levels, commit } = start();
  expect(levels()).toEqual(["wait", "fill", "wait"]);
  await commit(1, bufferedTo(1));
  expect(levels()).toEqual(["wait", "fill", "first"]);
  await commit(1, bufferedTo(5));
  expect(levels()).toEqual(["wait", "fill", "fill"]);
  await commit(2, { hasFrame: true });
  expect(levels()).toEqual(["first", "fill", "fill"]);
});

test("loads the neighbors eventually on a slow connection", async () => {
  const { levels } = start();
  await wait(500);
  expect(levels()).toEqual(["wait", "fill", "first"]);
  await wait(2000);
  expect(levels()).toEqual(["wait", "fill", "fill"]);
  await wait(2500);
  expect(levels()).toEqual(["first", "fill", "fill"]);
});

test("loads the neighbors of an ad without waiting for it", () => {
  const { levels } = start({ isAd: true });
  expect(levels()).toEqual(["wait", "fill", "fill"]);
});

test("loads only the first frame of one neighbor to save data", async () => {
  Object.defineProperty(navigator, "connection", { value: { saveData: true }, configurable: true });
  const { levels, commit } = start();
  await commit(1, bufferedTo(60));
  await commit(2, { hasFrame: true });
  await wait(10_000);
  expect(levels()).toEqual(["wait", "fill", "first"]);
});
