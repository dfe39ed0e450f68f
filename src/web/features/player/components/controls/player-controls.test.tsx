// @vitest-environment happy-dom
import { act } from "react";
import { expect, test, vi } from "vitest";
import { click, pressKey, render } from "#web/lib/render.fixture.ts";
import { createStore } from "#web/lib/store.ts";
import type { Player } from "../../core/player.ts";
import { emptyState, type PlayerState } from "../../core/state/player-state.ts";
import { PlayerControls } from "./player-controls.tsx";

async function renderControls(state: Partial<PlayerState> = {}) {
  const store = createStore<PlayerState>({
    ...emptyState,
    isPlayable: true,
    positionS: 20,
    durationS: 75,
    ...state,
  });
  const calls = {
    toggle: vi.fn(),
    seekTo: vi.fn(),
    setRate: vi.fn((rate: number) => store.commit({ rate })),
    selectQuality: vi.fn(),
    selectCaption: vi.fn(),
    togglePictureInPicture: vi.fn(),
  };
  const media = document.createElement("video");
  const player = { store, media, ...calls } as Partial<Player> as Player;
  const screen = await render(
    <PlayerControls
      player={player}
      storyboardUrl={null}
      isFullscreen={false}
      hasNext={false}
      onFullscreen={vi.fn()}
      theatre={{ isOn: false, toggle: vi.fn() }}
      onMenu={vi.fn()}
    />,
  );
  return { screen, store, ...calls };
}

const oneTrack = [{ id: "0", label: "English", language: "en" }];

/** Opens a submenu of the settings, and returns a function that finds its choices. */
async function openMenu(screen: Awaited<ReturnType<typeof render>>, group: RegExp) {
  await click(screen.get("button", "Settings"));
  await act(() => vi.dynamicImportSettled());
  await click(screen.get("menuitem", group));
  return (name: string) => screen.get("menuitemradio", name);
}

test("gives every control an accessible name", async () => {
  const { screen } = await renderControls({ captions: oneTrack });
  const controls = screen.container.querySelectorAll("button, [role=slider], input");
  expect(controls.length).toBeGreaterThan(5);
  for (const control of controls) expect(control.getAttribute("aria-label")).toBeTruthy();
});

test("labels the play button by the player's state", async () => {
  const { screen, store, toggle } = await renderControls();
  await click(screen.get("button", "Play"));
  expect(toggle).toHaveBeenCalled();
  await act(async () => store.commit({ isPaused: false }));
  expect(screen.get("button", "Pause").getAttribute("aria-keyshortcuts")).toBe("K");
  await act(async () => store.commit({ isPaused: true, isEnded: true }));
  expect(screen.find("button", "Watch again")).not.toBeNull();
});

test.each([
  ["ArrowRight", 25],
  ["ArrowLeft", 15],
  ["PageUp", 50],
  ["Home", 0],
  ["End", 75],
])("moves the seek bar when %s is pressed", async (key, positionS) => {
  const { screen, seekTo } = await renderControls();
  const bar = screen.get("slider", "Seek");
  expect(bar.getAttribute("aria-valuetext")).toBe("20 seconds of 1 minute, 15 seconds");
  await pressKey(bar, key);
  expect(seekTo).toHaveBeenCalledWith(positionS);
});

test("sets the speed in the menu and marks the current one", async () => {
  const { screen, setRate } = await renderControls();
  const item = await openMenu(screen, /^Speed/);
  expect(item("Normal").getAttribute("aria-checked")).toBe("true");
  await click(item("1.5×"));
  expect(setRate).toHaveBeenCalledWith(1.5);
  expect(item("1.5×").getAttribute("aria-checked")).toBe("true");
  await click(screen.get("menuitem", "Speed"));
  expect(screen.find("menuitem", /^Quality/)).toBeNull();
  expect(screen.find("menuitem", /^Captions/)).toBeNull();
});

test("lists qualities, best first, with Auto on top", async () => {
  const { screen, selectQuality } = await renderControls({
    qualities: [
      { id: 360, lines: 360, bitrate: 1 },
      { id: 720, lines: 720, bitrate: 2 },
    ],
    activeLines: 360,
  });
  const item = await openMenu(screen, /^Quality/);
  const group = screen.get("group", "Quality");
  const names = [...group.querySelectorAll("[role=menuitemradio]")].map((one) => one.textContent);
  expect(names).toEqual(["Auto360p", "720p", "360p"]);
  await click(item("720p"));
  expect(selectQuality).toHaveBeenCalledWith(720);
});

test("shows the captions button and submenu only if there are captions", async () => {
  const none = await renderControls();
  expect(none.screen.find("button", "Captions")).toBeNull();
  const { screen, selectCaption } = await renderControls({ captions: oneTrack });
  expect(screen.get("button", "Captions").getAttribute("aria-pressed")).toBe("false");
  const settings = [...screen.container.querySelectorAll<HTMLElement>("button")].find(
    (button) => button.getAttribute("aria-label") === "Settings",
  );
  if (settings !== undefined) await click(settings);
  await act(() => vi.dynamicImportSettled());
  await click(screen.get("menuitem", /^Captions/));
  await click(screen.get("menuitemradio", "English"));
  expect(selectCaption).toHaveBeenCalledWith("0");
});

test("moves through the menu with the arrow keys and closes it on Escape", async () => {
  const { screen } = await renderControls();
  const item = await openMenu(screen, /^Speed/);
  expect(document.activeElement).toBe(item("Normal"));
  await pressKey(item("Normal"), "ArrowDown");
  expect(document.activeElement).toBe(item("1.25×"));
  await pressKey(item("1.25×"), "Escape");
  expect(screen.find("menu", "Settings")).toBeNull();
  expect(document.activeElement).toBe(screen.get("button", "Settings"));
});
