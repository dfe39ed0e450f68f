import { useCallback } from "react";
import type { HotkeyAction } from "../core/hotkeys.ts";
import { volumeOf } from "../core/gain.ts";
import type { Player } from "../core/player.ts";

const frameS = 1 / 30;
const rateStep = 0.25;
const maxRate = 2;

/** Actions that the surrounding screen implements. */
export interface ScreenActions {
  fullscreen: () => void;
  /** Null if the page has no theatre mode. */
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

export function usePlayerActions(player: Player, screen: ScreenActions) {
  return useCallback(
    (action: HotkeyAction) => performAction(player, screen, action),
    [player, screen],
  );
}
