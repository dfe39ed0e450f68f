// @vitest-environment happy-dom
import { expect, test, vi } from "vitest";
import { hotkeyAction, isHeld, type HotkeyAction, performAction } from "./hotkeys.ts";
import { settle } from "./core/fake-media.fixture.ts";
import { startPlayer, videoSource } from "./core/player.fixture.ts";

const press = (key: string, held: object = {}) => ({
  key,
  code: "",
  shiftKey: false,
  repeat: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
});

test.each([
  [" ", { name: "toggle" }],
  ["K", { name: "toggle" }],
  ["j", { name: "seekBy", seconds: -10 }],
  ["l", { name: "seekBy", seconds: 10 }],
  ["ArrowLeft", { name: "seekBy", seconds: -5 }],
  ["0", { name: "seekToShare", share: 0 }],
  ["9", { name: "seekToShare", share: 0.9 }],
  ["m", { name: "mute" }],
  ["f", { name: "fullscreen" }],
  ["?", { name: "help" }],
])("%s", (key, action) => expect(hotkeyAction(press(key), false)).toEqual(action));

test("leaves the browser's own shortcuts alone", () => {
  for (const held of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }]) {
    expect(hotkeyAction(press("f", held), true)).toBeNull();
  }
});

test("leaves the up and down keys to the page unless the player has the focus", () => {
  expect(hotkeyAction(press("ArrowUp"), false)).toBeNull();
  expect(hotkeyAction(press("ArrowUp"), true)).toEqual({ name: "volumeBy", change: 0.05 });
});

test("ignores other keys, including names of object properties", () => {
  for (const key of ["x", "Enter", "Tab", "constructor", "toString"]) {
    expect(hotkeyAction(press(key), true)).toBeNull();
  }
});

test("repeats only seeking, volume, speed and frames while a key is held", () => {
  const repeats = [..." kjlmftic><.,?", "ArrowLeft", "ArrowUp"].filter((key) => {
    const held = press(key, { repeat: true });
    const action = hotkeyAction(held, true);
    return action !== null && !isHeld(held, action);
  });
  expect(repeats).toEqual(["j", "l", ">", "<", ".", ",", "ArrowLeft", "ArrowUp"]);
});

test("reads the place of a key on keyboards for other scripts", () => {
  expect(hotkeyAction(press("ь", { code: "KeyM" }), false)).toEqual({ name: "mute" });
  expect(hotkeyAction(press("è", { code: "Digit7" }), false)).toEqual({
    name: "seekToShare",
    share: 0.7,
  });
});

async function start() {
  const { player, media } = startPlayer();
  player.load(videoSource);
  await media.becomePlayable(75);
  const screen = { fullscreen: vi.fn(), theatre: vi.fn(), help: vi.fn() };
  const act = (action: HotkeyAction) => performAction(player, screen, action);
  return { player, media: media.element, screen, act };
}

test("changes the speed in steps of 0.25 between 0.25 and 2, even with fast presses", async () => {
  const { media, act } = await start();
  act({ name: "faster" });
  expect(media.playbackRate).toBe(1.25);
  for (let press = 0; press < 5; press += 1) act({ name: "faster" });
  expect(media.playbackRate).toBe(2);
  for (let press = 0; press < 9; press += 1) act({ name: "slower" });
  expect(media.playbackRate).toBe(0.25);
});

test("seeks by seconds and to fractions of the video", async () => {
  const { media, act } = await start();
  act({ name: "seekToShare", share: 0.5 });
  expect(media.currentTime).toBe(37.5);
  act({ name: "seekBy", seconds: 10 });
  expect(media.currentTime).toBe(47.5);
  act({ name: "seekBy", seconds: -5 });
  expect(media.currentTime).toBe(42.5);
});

test("controls playback, mute and volume", async () => {
  const { media, act } = await start();
  act({ name: "toggle" });
  expect(media.paused).toBe(false);
  act({ name: "mute" });
  expect(media.muted).toBe(true);
  act({ name: "volumeBy", change: -0.25 });
  expect(media.volume).toBe(0.75);
  expect(media.muted).toBe(false);
});

test("changes the chosen volume, before loudness normalization", async () => {
  const { player, media } = startPlayer();
  player.load({ ...videoSource, fileGain: 0.5 });
  await media.becomePlayable(75);
  const screen = { fullscreen: vi.fn(), theatre: vi.fn(), help: vi.fn() };
  performAction(player, screen, { name: "volumeBy", change: -0.25 });
  expect(media.element.volume).toBe(0.375);
});

test("steps single frames only while paused", async () => {
  const { media, act, player } = await start();
  act({ name: "frame", direction: 1 });
  expect(media.currentTime).toBeCloseTo(1 / 30);
  player.play();
  await settle();
  act({ name: "frame", direction: 1 });
  expect(media.currentTime).toBeCloseTo(1 / 30);
});

test("passes full screen, theater mode and help to the screen", async () => {
  const { screen, act } = await start();
  for (const name of ["fullscreen", "theatre", "help"] as const) {
    act({ name });
    expect(screen[name]).toHaveBeenCalledTimes(1);
  }
});
