import { useCallback, useEffect, useRef, useState } from "react";
import { toast } from "#web/components/ui/toast.tsx";
import { useSite } from "#web/lib/page/site.ts";
import { useLazyComponent } from "#web/lib/use-lazy-component.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";
import { preferences } from "../core/preferences.ts";
import type { Player } from "../core/player.ts";
import { chooseOverlay } from "../core/player-state.ts";
import { performAction, useHotkeys } from "../hotkeys.ts";
import { useLazyPopup } from "./use-lazy-popup.ts";
import { usePlayerGestures } from "./use-player-gestures.ts";
import { usePlayerState } from "../use-player-state.ts";
import { useVideoPlayer, type NextVideo, type VideoPlayerOptions } from "../use-video-player.ts";
import { PlayerControls } from "./controls/player-controls.tsx";
import { PlayerOverlay, SeekFlash, type Flash } from "./overlay/player-overlay.tsx";
import "./player-screen.css";
// The components of these styles are loaded when they are shown.
import "./key-sheet.css";
import "./overlay/next-overlay.css";

const messages = inLanguage("player");

export interface PlayerScreenProps extends Omit<VideoPlayerOptions, "adContainer"> {
  root: HTMLElement;
  hasTheatre: boolean;
  /** Null if playback stops after this video. */
  next: NextVideo | null;
}

const loadExtras = async () => (await import("./player-extras.tsx")).PlayerExtras;
export const loadNext = async () => (await import("./overlay/next-overlay.tsx")).NextOverlay;
const loadKeySheet = async () => (await import("./key-sheet.tsx")).KeySheet;

const doubleTapS = 10;

/**
 * Controls, overlays and ads of the player. The browser renders them around the element that plays.
 */
export function PlayerScreen(props: PlayerScreenProps) {
  const ads = useRef<HTMLDivElement>(null);
  const adContainer = useCallback(() => ads.current, []);
  useKeptFocus(props.root);
  const player = useVideoPlayer({ ...props, adContainer });
  return (
    <>
      {player === null ? null : <LivePlayer {...props} player={player} />}
      <div ref={ads} className="player-break" />
    </>
  );
}

function LivePlayer(props: PlayerScreenProps & { player: Player }) {
  const { root, player, video, next } = props;
  const theatre = useTheatre(props.hasTheatre);
  const adSlot = usePlayerState(player, (state) => state.adSlot);
  const isAdVisible = usePlayerState(player, (state) => state.isAdVisible);
  const isPlaying = usePlayerState(
    player,
    (state) => !state.isPaused && chooseOverlay(state) === "none",
  );
  const isEnded = usePlayerState(player, (state) => state.isEnded);
  const isNextShown = isEnded && next !== null;
  const { Lazy: NextOverlay } = useLazyComponent(loadNext, isNextShown);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const { Lazy: KeySheet } = useLazyPopup(loadKeySheet, isHelpOpen, setHelpOpen);
  const hasExtras = usePlayerState(
    player,
    ({ cues, chapters }) => cues.lines.length + chapters.length > 0,
  );
  const { replayPeak } = useSite().settings;
  const { Lazy: PlayerExtras } = useLazyComponent(loadExtras, hasExtras || replayPeak === true);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [flash, setFlash] = useState<Flash | null>(null);
  const { isHidden, wake, hide } = useIdleControls(isPlaying && !isMenuOpen && !isHelpOpen);
  const { isFullscreen, toggle: fullscreen } = useFullscreen(root, player);
  const help = () => setHelpOpen((isOpen) => !isOpen);
  const screen = { fullscreen, theatre: theatre?.toggle ?? null, help };
  useHotkeys(root, (action) => {
    wake();
    performAction(player, screen, action);
  });

  useEffect(() => {
    root.toggleAttribute("data-fill", preferences.read().isFilled);
    root.addEventListener("pointermove", wake);
    root.addEventListener("focusin", wake);
    return () => {
      root.removeEventListener("pointermove", wake);
      root.removeEventListener("focusin", wake);
      // The element stays for the next video.
      root.removeAttribute("data-idle");
      root.removeAttribute("data-ad");
    };
  }, [root, wake]);
  useEffect(() => {
    root.toggleAttribute("data-idle", isHidden);
    // Otherwise, Space would press the hidden button that was clicked last.
    if (isHidden) root.querySelector<HTMLElement>(":focus:not(:focus-visible)")?.blur();
    root.toggleAttribute("data-ad", adSlot !== null && isAdVisible);
  }, [root, isHidden, adSlot, isAdVisible]);

  const gestures = usePlayerGestures({
    isMenuOpen,
    onClick: () => player.toggle(),
    onDoubleClick: fullscreen,
    onTap() {
      // An embed without controls only has its picture.
      if (root.closest("[data-no-controls]") !== null) player.toggle();
      else if (isHidden) wake();
      else hide();
    },
    onDoubleTap(side) {
      player.seekBy(side === "left" ? -doubleTapS : doubleTapS);
      setFlash({ side, seconds: doubleTapS, key: performance.now() });
    },
  });

  return (
    <>
      <div className="player-touch" {...gestures} />
      <PlayerOverlay player={player} posterUrl={video.posterUrl ?? video.thumbnailUrl} />
      {PlayerExtras === null ? null : <PlayerExtras player={player} root={root} />}
      <SeekFlash flash={flash} />
      {isNextShown && NextOverlay !== null ? <NextOverlay next={next} /> : null}
      {adSlot === null ? (
        <PlayerControls
          player={player}
          storyboardUrl={video.storyboardUrl}
          isFullscreen={isFullscreen}
          onFullscreen={fullscreen}
          theatre={theatre}
          hasNext={next !== null}
          onMenu={setMenuOpen}
          wake={wake}
        />
      ) : null}
      {isHelpOpen && KeySheet !== null ? <KeySheet onClose={() => setHelpOpen(false)} /> : null}
    </>
  );
}

/** Moves the keyboard focus to the controls when the element that has it disappears. */
function useKeptFocus(root: HTMLElement): void {
  // Initially this may be the Play button that the controls replace.
  const focused = useRef(root.querySelector(":focus-visible"));
  useEffect(() => {
    const follow = () => {
      if (document.activeElement !== document.body) {
        focused.current = root.querySelector(":focus-visible");
      } else if (focused.current?.isConnected === false) {
        // While an ad plays, the controls aren't rendered. This runs again once they are.
        root.querySelector<HTMLElement>(".player-bar button")?.focus({ preventScroll: true });
      }
    };
    const observer = new MutationObserver(follow);
    observer.observe(root, { childList: true, subtree: true });
    root.addEventListener("focusin", follow);
    return () => {
      observer.disconnect();
      root.removeEventListener("focusin", follow);
    };
  }, [root]);
}

/** Shows the player with its controls in full screen. iPhones can only show the video itself. */
function useFullscreen(root: HTMLElement, player: Player) {
  const [isFullscreen, setFullscreen] = useState(false);

  useEffect(() => {
    const read = () => setFullscreen(document.fullscreenElement === root);
    read();
    document.addEventListener("fullscreenchange", read);
    return () => document.removeEventListener("fullscreenchange", read);
  }, [root]);

  const toggle = () => {
    const change = async () => {
      if (document.fullscreenElement) await document.exitFullscreen();
      else if ("requestFullscreen" in root) await root.requestFullscreen();
      else {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no declaration has it
        const video = player.media as HTMLVideoElement & { webkitEnterFullscreen(): void };
        // Missing on some iPhones. Throws on others until the metadata has loaded.
        video.webkitEnterFullscreen();
      }
    };
    change().catch((error: unknown) => {
      console.warn("full screen refused", error);
      toast.error(messages.fullscreenRefused);
    });
  };

  return { isFullscreen, toggle };
}

const idleMs = 2600;

/** Hides the controls while the video plays and the visitor does nothing. */
function useIdleControls(canHide: boolean): {
  isHidden: boolean;
  /** Shows the controls and restarts the delay. Call it when the visitor does something. */
  wake: () => void;
  hide: () => void;
} {
  const [isIdle, setIdle] = useState(false);
  const timer = useRef<number | undefined>(undefined);

  const wake = useCallback(() => {
    setIdle(false);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setIdle(true), idleMs);
  }, []);

  useEffect(() => {
    if (canHide) wake();
    return () => window.clearTimeout(timer.current);
  }, [canHide, wake]);

  return { isHidden: canHide && isIdle, wake, hide: () => setIdle(true) };
}

/**
 * Controls theater mode through an attribute of the document. theme-boot.ts sets it before the
 * first paint.
 */
function useTheatre(isPossible: boolean): { isOn: boolean; toggle: () => void } | null {
  const [isOn, setOn] = useState(() => preferences.read().isTheatre);
  if (!isPossible) return null;
  const toggle = () => {
    document.documentElement.toggleAttribute("data-theatre", !isOn);
    preferences.write({ isTheatre: !isOn });
    setOn(!isOn);
  };
  return { isOn, toggle };
}
