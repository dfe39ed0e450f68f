// @vitest-environment happy-dom
import { expect, test, vi } from "vitest";
import { click, render } from "#web/lib/render.fixture.ts";
import { createStore } from "#web/lib/store.ts";
import type { Player } from "../../core/player.ts";
import { emptyState, type PlayerState } from "../../core/state/player-state.ts";
import { PlayerOverlay } from "./player-overlay.tsx";

const playing: Partial<PlayerState> = { isPlayable: true, isPaused: false, hasStarted: true };

async function renderOverlay(state: Partial<PlayerState>) {
  const calls = { play: vi.fn(), retry: vi.fn(), setMuted: vi.fn(), startOver: vi.fn() };
  const store = createStore<PlayerState>({ ...emptyState, ...state });
  const player = { store, ...calls } as Partial<Player> as Player;
  return {
    screen: await render(<PlayerOverlay player={player} posterUrl="/poster.jpg" />),
    ...calls,
  };
}

test("shows the thumbnail until the first frame", async () => {
  const { screen } = await renderOverlay({});
  const overlay = screen.container.querySelector(".player-loading");
  expect(overlay?.querySelector("img")?.getAttribute("src")).toBe("/poster.jpg");
  expect(overlay?.hasAttribute("data-frame")).toBe(false);
  expect(screen.get("status").textContent).toBe("Loading video");
});

test("dims the last frame during a stall", async () => {
  const { screen } = await renderOverlay({ ...playing, hasFrame: true, isBuffering: true });
  expect(screen.container.querySelector(".player-loading")?.hasAttribute("data-frame")).toBe(true);
});

test("shows no overlay over a playing video", async () => {
  const { screen } = await renderOverlay(playing);
  expect(screen.container.childElementCount).toBe(0);
});

test.each([
  { isEnded: false, name: "Play" },
  { isEnded: true, name: "Watch again" },
])("shows $name on a paused video", async ({ isEnded, name }) => {
  const { screen, play } = await renderOverlay({ ...playing, isPaused: true, isEnded });
  await click(screen.get("button", name));
  expect(play).toHaveBeenCalled();
});

test("explains a fault and offers to retry", async () => {
  const fault = { kind: "missing", isRetrying: true } as const;
  const { screen, retry } = await renderOverlay({ ...playing, fault });
  expect(screen.get("alert").textContent).toContain("Part of this video can't be loaded");
  await click(screen.get("button", "Try Again"));
  expect(retry).toHaveBeenCalled();
});

test("offers to unmute a video that the browser muted", async () => {
  const { screen, setMuted } = await renderOverlay({ ...playing, isMutedByBrowser: true });
  await click(screen.get("button", "Tap to unmute"));
  expect(setMuted).toHaveBeenCalledWith(false);
});

test("offers to start a resumed video from the beginning", async () => {
  const { screen, startOver } = await renderOverlay({ ...playing, resumedAtS: 125 });
  expect(screen.get("status").textContent).toContain("Resumed at 2:05");
  await click(screen.get("button", "Start over"));
  expect(startOver).toHaveBeenCalled();
});

test("shows only the ad during a visible ad", async () => {
  const { screen } = await renderOverlay({
    ...playing,
    isPaused: true,
    adSlot: "preroll",
    isAdVisible: true,
    isMutedByBrowser: true,
  });
  expect(screen.container.childElementCount).toBe(0);
});
