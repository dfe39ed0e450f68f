// @vitest-environment happy-dom
import { expect, test, vi } from "vitest";
import { click, fill, render } from "#web/lib/render.fixture.ts";
import { emptyState, type PlayerState } from "../../core/state/player-state.ts";
import type { Player } from "../../core/player.ts";
import { createStore } from "#web/lib/store.ts";
import { VolumeControl } from "./volume-control.tsx";

async function renderControl(state: Partial<PlayerState>) {
  const setMuted = vi.fn();
  const setVolume = vi.fn();
  const store = createStore<PlayerState>({ ...emptyState, ...state });
  const player = { store, setMuted, setVolume } as Partial<Player> as Player;
  return { screen: await render(<VolumeControl player={player} />), setMuted, setVolume };
}

test("mutes with the button and shows the volume on the slider", async () => {
  const { screen, setMuted, setVolume } = await renderControl({ volume: 0.4 });
  const slider = screen.get("slider", "Volume") as HTMLInputElement;
  expect(slider.getAttribute("aria-valuetext")).toBe("40%");
  await click(screen.get("button", "Mute"));
  expect(setMuted).toHaveBeenCalledWith(true);
  await fill(slider, "0.8");
  expect(setVolume).toHaveBeenCalledWith(0.8);
});

test.each([
  { isMuted: true, volume: 1 },
  { isMuted: false, volume: 0 },
])("offers to unmute a silent player: %o", async (state) => {
  const { screen, setMuted } = await renderControl(state);
  expect(screen.get("slider", "Volume").getAttribute("aria-valuetext")).toBe("0%");
  await click(screen.get("button", "Unmute"));
  expect(setMuted).toHaveBeenCalledWith(false);
});
