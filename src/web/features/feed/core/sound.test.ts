// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import { emptyPreferences } from "#web/features/player/core/player.fixture.ts";
import { createFeedSound } from "./sound.ts";

function start(preferences = emptyPreferences()) {
  const sound = createFeedSound();
  sound.start(preferences);
  return { sound, preferences, isMuted: () => sound.store.get().isMuted };
}

afterEach(() => vi.unstubAllGlobals());

test("starts muted and remembers the visitor's choice", () => {
  const { sound, preferences, isMuted } = start();
  expect(isMuted()).toBe(true);
  sound.setMuted(false);
  expect(isMuted()).toBe(false);
  expect(preferences.read().isFeedMuted).toBe(false);
});

test("restores the sound setting of the last visit on the first gesture", () => {
  const preferences = emptyPreferences();
  preferences.write({ isFeedMuted: false });
  const { isMuted } = start(preferences);
  expect(isMuted()).toBe(true);
  document.dispatchEvent(new Event("scroll"));
  expect(isMuted()).toBe(true);
  document.dispatchEvent(new Event("keyup"));
  expect(isMuted()).toBe(false);
});

test("turns the sound on immediately after a gesture on this page", () => {
  vi.stubGlobal("navigator", { userActivation: { hasBeenActive: true } });
  const preferences = emptyPreferences();
  preferences.write({ isFeedMuted: false });
  expect(start(preferences).isMuted()).toBe(false);
});

test("stops waiting for a gesture once the visitor mutes", () => {
  const preferences = emptyPreferences();
  preferences.write({ isFeedMuted: false });
  const { sound, isMuted } = start(preferences);
  sound.setMuted(true);
  document.dispatchEvent(new Event("pointerup"));
  expect(isMuted()).toBe(true);
});

test("doesn't remember a mute that the browser requires", () => {
  const { sound, preferences, isMuted } = start();
  sound.setMuted(false);
  sound.silence();
  expect(isMuted()).toBe(true);
  expect(preferences.read().isFeedMuted).toBe(false);
});

test("restores the visitor's choice on the next gesture after the browser refused sound", () => {
  const { sound, isMuted } = start();
  sound.setMuted(false);
  sound.silence();
  document.dispatchEvent(new Event("pointerup"));
  expect(isMuted()).toBe(false);
  sound.setMuted(true);
  sound.silence();
  document.dispatchEvent(new Event("pointerup"));
  expect(isMuted()).toBe(true);
});
