import { useEffect, useRef } from "react";
import { keyOf } from "#web/lib/key-of.ts";
import { isClaimed, isTyping } from "#web/lib/key-targets.ts";
import { hasOpenDialog } from "#web/lib/open-dialog.ts";
import { volumeOf } from "./core/player-state.ts";
import type { Player } from "./core/player.ts";

/** Actions that a key can trigger. */
export type HotkeyAction =
  | { name: "toggle" }
  | { name: "seekBy"; seconds: number }
  | { name: "seekToShare"; share: number }
  | { name: "volumeBy"; change: number }
  | { name: "mute" }
  | { name: "fullscreen" }
  | { name: "theatre" }
  | { name: "pictureInPicture" }
  | { name: "captions" }
  | { name: "faster" }
  | { name: "slower" }
  | { name: "frame"; direction: 1 | -1 }
  | { name: "help" };

type KeyPress = Pick<
  KeyboardEvent,
  "key" | "code" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey" | "repeat"
>;

/** Actions that continue while their key is held. All others happen once. */
const continues = new Set<HotkeyAction["name"]>([
  "seekBy",
  "volumeBy",
  "frame",
  "faster",
  "slower",
]);

const plainKeys: Record<string, HotkeyAction> = {
  " ": { name: "toggle" },
  k: { name: "toggle" },
  j: { name: "seekBy", seconds: -10 },
  l: { name: "seekBy", seconds: 10 },
  arrowleft: { name: "seekBy", seconds: -5 },
  arrowright: { name: "seekBy", seconds: 5 },
  m: { name: "mute" },
  f: { name: "fullscreen" },
  t: { name: "theatre" },
  i: { name: "pictureInPicture" },
  c: { name: "captions" },
  ">": { name: "faster" },
  "<": { name: "slower" },
  ".": { name: "frame", direction: 1 },
  ",": { name: "frame", direction: -1 },
  "?": { name: "help" },
};

/** Keys that scroll the page unless the player has the focus. */
const focusedKeys: Record<string, HotkeyAction> = {
  arrowup: { name: "volumeBy", change: 0.05 },
  arrowdown: { name: "volumeBy", change: -0.05 },
  home: { name: "seekToShare", share: 0 },
  end: { name: "seekToShare", share: 1 },
};

/** Returns whether a press only repeats an action that happens once. The page must not use it. */
export const isHeld = (press: KeyPress, action: HotkeyAction): boolean =>
  press.repeat && !continues.has(action.name);

/** Returns the action of a key press, or null if the player doesn't use the key. */
export function hotkeyAction(press: KeyPress, hasFocus: boolean): HotkeyAction | null {
  if (press.ctrlKey || press.metaKey || press.altKey) return null;
  const key = keyOf(press);
  if (/^\d$/.test(key)) return { name: "seekToShare", share: Number(key) / 10 };
  if (Object.hasOwn(plainKeys, key)) return plainKeys[key] ?? null;
  if (hasFocus && Object.hasOwn(focusedKeys, key)) return focusedKeys[key] ?? null;
  return null;
}

const frameS = 1 / 30;
const rateStep = 0.25;
const maxRate = 2;

/** Actions that the surrounding screen implements. */
interface ScreenActions {
  fullscreen: () => void;
  /** Null if the page has no theater mode. */
  theatre: (() => void) | null;
  help: () => void;
}

/** Performs the action of a key. During an ad, only the screen's own actions work. */
export function performAction(player: Player, screen: ScreenActions, action: HotkeyAction): void {
  const { isMuted, durationS, isPaused, positionS, adSlot } = player.store.get();
  // Reads the element, because a second press may come before the state contains the first one.
  const { playbackRate: rate } = player.media;
  if (adSlot !== null && !["fullscreen", "theatre", "help"].includes(action.name)) return;
  switch (action.name) {
    case "toggle":
      return player.toggle();
    case "seekBy":
      return player.seekBy(action.seconds);
    case "seekToShare":
      return player.seekTo(action.share * durationS);
    case "volumeBy":
      return player.setVolume(volumeOf(player.media) + action.change);
    case "mute":
      return player.setMuted(!isMuted);
    case "fullscreen":
      return screen.fullscreen();
    case "theatre":
      return screen.theatre?.();
    case "pictureInPicture":
      return player.togglePictureInPicture();
    case "captions":
      return player.toggleCaptions();
    case "faster":
      return player.setRate(Math.min(maxRate, rate + rateStep));
    case "slower":
      return player.setRate(Math.max(rateStep, rate - rateStep));
    case "frame":
      if (isPaused) player.seekTo(positionS + action.direction * frameS);
      return;
    case "help":
      return screen.help();
  }
}

/** Handles the player's keys on the whole page, except while the visitor types in a field. */
export function useHotkeys(root: HTMLElement | null, act: (action: HotkeyAction) => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTyping(event.target)) return;
      const { activeElement, fullscreenElement } = document;
      const hasFocus =
        root !== null && (root.contains(activeElement) || fullscreenElement === root);
      const action = hotkeyAction(event, hasFocus);
      if (action === null || isClaimed(event.target, event.key)) return;
      // An open dialog has its own keys.
      if (hasOpenDialog()) return;
      event.preventDefault();
      if (!isHeld(event, action)) latest.current(action);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [root]);
}
