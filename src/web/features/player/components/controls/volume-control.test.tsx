// @vitest-environment happy-dom
import { expect, test, vi } from "vitest";
import { fireEvent, render, screen } from "@testing-library/react";
import { emptyState, type PlayerState } from "../../core/state/player-state.ts";
import type { Player } from "../../core/player.ts";
import { createStore } from "#web/lib/store.ts";
import { VolumeControl } from "./volume-control.tsx";

function renderControl(state: Partial<PlayerState>) {
  const setMuted = vi.fn();
  const setVolume = vi.fn();
  const store = createStore<PlayerState>({ ...emptyState, ...state });
  const player = { store, setMuted, setVolume } as Partial<Player> as Player;
  render(<VolumeControl player={player} />);
  return { setMuted, setVolume };
}

test("mutes with the button and shows the volume on the slider", () => {
  const { setMuted, setVolume } = renderControl({ volume: 0.4 });
  const slider = screen.getByRole("slider", { name: "Volume" }) as HTMLInputElement;
  expect(slider.getAttribute("aria-valuetext")).toBe("40%");
  fireEvent.click(screen.getByRole("button", { name: "Mute" }));
  expect(setMuted).toHaveBeenCalledWith(true);
  fireEvent.change(slider, { target: { value: "0.8" } });
  expect(setVolume).toHaveBeenCalledWith(0.8);
});

test.each([
  { isMuted: true, volume: 1 },
  { isMuted: false, volume: 0 },
])("offers to unmute a silent player: %o", (state) => {
  const { setMuted } = renderControl(state);
  expect(screen.getByRole("slider", { name: "Volume" }).getAttribute("aria-valuetext")).toBe("0%");
  fireEvent.click(screen.getByRole("button", { name: "Unmute" }));
  expect(setMuted).toHaveBeenCalledWith(false);
});
