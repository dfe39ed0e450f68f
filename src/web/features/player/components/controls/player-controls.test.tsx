// @vitest-environment happy-dom
import { expect, onTestFinished, test, vi } from "vitest";
import { act, fireEvent, render, screen } from "@testing-library/react";
import { toast } from "#web/components/ui/toast.tsx";
import { createStore } from "#web/lib/store.ts";
import type { Player } from "../../core/player.ts";
import { emptyState, type PlayerState } from "../../core/player-state.ts";
import { PlayerControls, VolumeControl } from "./player-controls.tsx";
import type * as settingsList from "./settings-list.tsx";

const settings = vi.hoisted(() => ({ isMissing: false }));
vi.mock("./settings-list.tsx", async (original) => {
  const { SettingsList } = await original<typeof settingsList>();
  return {
    get SettingsList() {
      if (settings.isMissing) throw new TypeError("Failed to fetch dynamically imported module");
      return SettingsList;
    },
  };
});

function renderControls(
  state: Partial<PlayerState> = {},
  media = document.createElement("video"),
  isTheatreOn = false,
) {
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
  const wake = vi.fn();
  const onMenu = vi.fn();
  const player = { store, media, ...calls } as Partial<Player> as Player;
  const { unmount } = render(
    <PlayerControls
      player={player}
      storyboardUrl={null}
      isFullscreen={false}
      hasNext={false}
      onFullscreen={vi.fn()}
      theatre={{ isOn: isTheatreOn, toggle: vi.fn() }}
      onMenu={onMenu}
      wake={wake}
    />,
  );
  return { unmount, store, wake, onMenu, ...calls };
}

const oneTrack = [{ id: "0", label: "English", language: "en" }];

/** Opens a submenu of the settings, and returns a function that finds its choices. */
async function openMenu(group: RegExp) {
  fireEvent.click(screen.getByRole("button", { name: "Settings" }));
  await act(() => vi.dynamicImportSettled());
  fireEvent.click(screen.getByRole("menuitem", { name: group }));
  return (name: string) => screen.getByRole("menuitemradio", { name });
}

test("gives every control an accessible name", () => {
  renderControls({ captions: oneTrack });
  const controls = document.querySelectorAll("button, [role=slider], input");
  expect(controls.length).toBeGreaterThan(5);
  for (const control of controls) expect(control.getAttribute("aria-label")).toBeTruthy();
});

test("labels the play button by the player's state", async () => {
  const { store, toggle } = renderControls();
  fireEvent.click(screen.getByRole("button", { name: "Play" }));
  expect(toggle).toHaveBeenCalled();
  await act(async () => store.commit({ isPaused: false }));
  expect(screen.getByRole("button", { name: "Pause" }).getAttribute("aria-keyshortcuts")).toBe("K");
  await act(async () => store.commit({ isPaused: true, isEnded: true }));
  expect(screen.queryByRole("button", { name: "Watch again" })).not.toBeNull();
});

test.each([false, true])("keeps the label of theater mode while it is on: %o", (isOn) => {
  renderControls({}, undefined, isOn);
  const button = screen.getByRole("button", { name: "Theater mode" });
  expect(button.getAttribute("aria-pressed")).toBe(String(isOn));
});

test.each([
  ["ArrowRight", 25],
  ["ArrowLeft", 15],
  ["PageUp", 50],
  ["Home", 0],
  ["End", 75],
])("moves the seek bar when %s is pressed", (key, positionS) => {
  const { seekTo } = renderControls();
  const bar = screen.getByRole("slider", { name: "Seek" });
  expect(bar.getAttribute("aria-valuetext")).toBe("20 seconds of 1 minute, 15 seconds");
  fireEvent.keyDown(bar, { key });
  expect(seekTo).toHaveBeenCalledWith(positionS);
});

test("stays awake when a finger presses the controls and when it leaves them", () => {
  const { wake } = renderControls();
  const button = screen.getByRole("button", { name: "Mute" });
  fireEvent.pointerDown(button);
  expect(wake).toHaveBeenCalledTimes(1);
  fireEvent.pointerUp(button);
  expect(wake).toHaveBeenCalledTimes(2);
});

test("sets the speed in the menu and marks the current one", async () => {
  const { setRate } = renderControls();
  const item = await openMenu(/^Speed/);
  expect(item("Normal").getAttribute("aria-checked")).toBe("true");
  fireEvent.click(item("1.5×"));
  expect(setRate).toHaveBeenCalledWith(1.5);
  expect(item("1.5×").getAttribute("aria-checked")).toBe("true");
  fireEvent.click(screen.getByRole("menuitem", { name: "Speed" }));
  expect(screen.queryByRole("menuitem", { name: /^Quality/ })).toBeNull();
  expect(screen.queryByRole("menuitem", { name: /^Captions/ })).toBeNull();
});

test("lists qualities, best first, with Auto on top", async () => {
  const { selectQuality } = renderControls({
    qualities: [
      { id: 360, lines: 360, bitrate: 1 },
      { id: 720, lines: 720, bitrate: 2 },
    ],
    activeLines: 360,
  });
  const item = await openMenu(/^Quality/);
  const group = screen.getByRole("group", { name: "Quality" });
  const names = [...group.querySelectorAll("[role=menuitemradio]")].map((one) => one.textContent);
  expect(names).toEqual(["Auto360p", "720p", "360p"]);
  fireEvent.click(item("720p"));
  expect(selectQuality).toHaveBeenCalledWith(720);
});

test("shows the captions button and submenu only if there are captions", async () => {
  const { unmount } = renderControls();
  expect(screen.queryByRole("button", { name: "Captions" })).toBeNull();
  unmount();
  const { selectCaption } = renderControls({ captions: oneTrack });
  expect(screen.getByRole("button", { name: "Captions" }).getAttribute("aria-pressed")).toBe(
    "false",
  );
  const item = await openMenu(/^Captions/);
  fireEvent.click(item("English"));
  expect(selectCaption).toHaveBeenCalledWith("0");
});

test("offers another screen in the settings if the browser has one", async () => {
  const prompt = vi.fn(() => Promise.resolve());
  const remote = {
    watchAvailability: (tell: (isAvailable: boolean) => void) => {
      tell(true);
      return Promise.resolve(1);
    },
    cancelWatchAvailability: () => Promise.resolve(),
    prompt,
  };
  const media = document.createElement("video");
  Object.defineProperty(media, "remote", { value: remote });
  renderControls({}, media);
  await openMenu(/^Speed/);
  fireEvent.click(screen.getByRole("menuitem", { name: "Speed" }));
  fireEvent.click(screen.getByRole("menuitem", { name: "Play on another screen" }));
  expect(prompt).toHaveBeenCalled();
});

test("moves through the menu with the arrow keys and closes it on Escape", async () => {
  renderControls();
  const item = await openMenu(/^Speed/);
  expect(document.activeElement).toBe(item("Normal"));
  fireEvent.keyDown(item("Normal"), { key: "ArrowDown" });
  expect(document.activeElement).toBe(item("1.25×"));
  fireEvent.keyDown(item("1.25×"), { key: "Escape" });
  expect(screen.queryByRole("menu", { name: "Settings" })).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Settings" }));
});

test("reports the menu as closed when an ad break removes the controls", async () => {
  const { unmount, onMenu } = renderControls();
  await openMenu(/^Speed/);
  expect(onMenu).toHaveBeenLastCalledWith(true);
  unmount();
  expect(onMenu).toHaveBeenLastCalledWith(false);
});

test("closes the menu with an error toast if its code can't be loaded", async () => {
  const error = vi.spyOn(toast, "error").mockImplementation(() => {});
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  settings.isMissing = true;
  onTestFinished(() => void (settings.isMissing = false));
  const { onMenu } = renderControls();
  const button = screen.getByRole("button", { name: "Settings" });
  fireEvent.pointerEnter(button);
  await act(() => vi.dynamicImportSettled());
  expect(error).not.toHaveBeenCalled();
  fireEvent.click(button);
  fireEvent.click(button);
  await act(() => vi.dynamicImportSettled());
  expect(error).not.toHaveBeenCalled();
  warn.mockClear();
  fireEvent.pointerEnter(button);
  fireEvent.click(button);
  expect(onMenu).toHaveBeenLastCalledWith(false);
  await act(() => vi.dynamicImportSettled());
  expect(button.getAttribute("aria-expanded")).toBe("false");
  expect(error.mock.calls).toEqual([["Couldn't load this. Reload the page."]]);
  expect(warn).toHaveBeenCalledTimes(2);
});

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
