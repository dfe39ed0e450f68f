// @vitest-environment happy-dom
import { expect, test, vi } from "vitest";
import { fireEvent, render, screen } from "@testing-library/react";
import { createStore } from "#web/lib/store.ts";
import type { Player } from "../../core/player.ts";
import { emptyState, type PlayerState } from "../../core/player-state.ts";
import { PlayerOverlay } from "./player-overlay.tsx";

const playing: Partial<PlayerState> = { isPlayable: true, isPaused: false, hasStarted: true };

function renderOverlay(state: Partial<PlayerState>) {
  const calls = { play: vi.fn(), retry: vi.fn(), setMuted: vi.fn(), startOver: vi.fn() };
  const store = createStore<PlayerState>({ ...emptyState, ...state });
  const player = { store, ...calls } as Partial<Player> as Player;
  const { container } = render(<PlayerOverlay player={player} posterUrl="/poster.jpg" />);
  return { container, ...calls };
}

test("shows the thumbnail until the first frame", () => {
  const { container } = renderOverlay({});
  const overlay = container.querySelector(".player-loading");
  expect(overlay?.querySelector("img")?.getAttribute("src")).toBe("/poster.jpg");
  expect(overlay?.hasAttribute("data-frame")).toBe(false);
  expect(screen.getByRole("status").textContent).toBe("Loading video");
});

test("dims the last frame during a stall", () => {
  const { container } = renderOverlay({ ...playing, hasFrame: true, isBuffering: true });
  expect(container.querySelector(".player-loading")?.hasAttribute("data-frame")).toBe(true);
});

test("shows no overlay over a playing video", () => {
  const { container } = renderOverlay(playing);
  expect(container.childElementCount).toBe(0);
});

test.each([
  { isEnded: false, name: "Play" },
  { isEnded: true, name: "Watch again" },
])("shows $name on a paused video", ({ isEnded, name }) => {
  const { play } = renderOverlay({ ...playing, isPaused: true, isEnded });
  fireEvent.click(screen.getByRole("button", { name }));
  expect(play).toHaveBeenCalled();
});

test.each([
  ["offline", "You're offline", "Playback will continue when you're back online."],
  ["missing", "Part of this video can't be loaded", "Retrying..."],
  ["limited", "This connection has watched a lot this hour", "Playback will continue by itself."],
  ["stalled", "Connection lost", "Retrying..."],
  ["corrupt", "Part of this video is damaged", "Skipping the damaged part..."],
  ["unsupported", "This video can't be played", "Your browser doesn't support its format."],
] as const)("explains the fault %s and offers to retry", (kind, title, hint) => {
  const { retry } = renderOverlay({ ...playing, fault: { kind, isRetrying: true } });
  const alert = screen.getByRole("alert").textContent;
  expect([alert.includes(title), alert.includes(hint)]).toEqual([true, true]);
  fireEvent.click(screen.getByRole("button", { name: "Try Again" }));
  expect(retry).toHaveBeenCalled();
});

test("offers to unmute a video that the browser muted", () => {
  const { setMuted } = renderOverlay({ ...playing, isMutedByBrowser: true });
  fireEvent.click(screen.getByRole("button", { name: "Tap to unmute" }));
  expect(setMuted).toHaveBeenCalledWith(false);
});

test("doesn't cover the next video with the offer to unmute", () => {
  renderOverlay({ ...playing, isPaused: true, isEnded: true, isMutedByBrowser: true });
  expect(screen.queryByRole("button", { name: "Tap to unmute" })).toBeNull();
});

test("offers to start a resumed video from the beginning", () => {
  const { startOver } = renderOverlay({ ...playing, resumedAtS: 125 });
  expect(screen.getByRole("status").textContent).toContain("Resumed at 2:05");
  fireEvent.click(screen.getByRole("button", { name: "Start over" }));
  expect(startOver).toHaveBeenCalled();
});

test("shows only the ad during a visible ad", () => {
  const { container } = renderOverlay({
    ...playing,
    isPaused: true,
    adSlot: "preroll",
    isAdVisible: true,
    isMutedByBrowser: true,
  });
  expect(container.childElementCount).toBe(0);
});
