// @vitest-environment happy-dom
import { expect, test, vi } from "vitest";
import type { HotkeyAction } from "../core/hotkeys.ts";
import { settle } from "../core/fake-media.fixture.ts";
import { startPlayer, videoSource } from "../core/player.fixture.ts";
import { performAction } from "./use-player-actions.ts";

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

test("passes full screen, theatre mode and help to the screen", async () => {
  const { screen, act } = await start();
  for (const name of ["fullscreen", "theatre", "help"] as const) {
    act({ name });
    expect(screen[name]).toHaveBeenCalledTimes(1);
  }
});
