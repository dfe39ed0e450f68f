import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { toast } from "#web/components/ui/toast.tsx";
import { preferences } from "../core/browser-player.ts";
import type { Player } from "../core/player.ts";
import { chooseOverlay } from "../core/state/player-state.ts";
import { useFullscreen } from "../hooks/use-fullscreen.ts";
import { useHotkeys } from "../hooks/use-hotkeys.ts";
import { useTheatre } from "../hooks/use-theatre.ts";
import { useIdleControls } from "../hooks/use-idle-controls.ts";
import { useLazyComponent } from "#web/lib/use-lazy-component.ts";
import { usePlayerGestures } from "../hooks/use-player-gestures.ts";
import { usePlayerActions } from "../hooks/use-player-actions.ts";
import { usePlayerState } from "../hooks/use-player-state.ts";
import { useVideoPlayer, type VideoPlayerOptions } from "../hooks/use-video-player.ts";
import { PlayerControls } from "./controls/player-controls.tsx";
import { PlayerOverlay } from "./overlay/player-overlay.tsx";
import { SeekFlash, type Flash } from "./overlay/seek-flash.tsx";
import type { NextVideo } from "../next-video.ts";
import { playerMessages as messages } from "../messages.ts";
import "./player-screen.css";
// The components of these styles are loaded when they are shown.
import "./key-sheet.css";
import "./overlay/next-overlay.css";

export interface PlayerScreenProps extends Omit<VideoPlayerOptions, "adContainer"> {
  root: HTMLElement;
  hasTheatre: boolean;
  /** Null if playback stops after this video. */
  next: NextVideo | null;
}

const loadExtras = async () => (await import("./player-extras.tsx")).PlayerExtras;
const loadNext = async () => (await import("./overlay/next-overlay.tsx")).NextOverlay;
const loadKeySheet = async () => (await import("./key-sheet.tsx")).KeySheet;

const doubleTapS = 10;

/**
 * Controls, overlays and ads of the player. The browser renders them around the element that plays.
 */
export function PlayerScreen(props: PlayerScreenProps) {
  const ads = useRef<HTMLDivElement>(null);
  const adContainer = useCallback(() => ads.current, []);
  const player = useVideoPlayer({ ...props, adContainer });
  return (
    <>
      {player === null ? null : <LivePlayer {...props} player={player} />}
      <div ref={ads} className="player-break" />
    </>
  );
}

const reportRefusal = () => toast.error(messages.fullscreenRefused);

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
  const { Lazy: KeySheet } = useLazyComponent(loadKeySheet, isHelpOpen);
  const hasExtras = usePlayerState(
    player,
    ({ cues, chapters }) => cues.lines.length + chapters.length > 0,
  );
  const { Lazy: PlayerExtras } = useLazyComponent(loadExtras, hasExtras);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [flash, setFlash] = useState<Flash | null>(null);
  const { isHidden, wake, hide } = useIdleControls(isPlaying && !isMenuOpen && !isHelpOpen);
  const { isFullscreen, toggle: fullscreen } = useFullscreen(
    root,
    useCallback(() => player.media, [player]),
    reportRefusal,
  );
  const screen = useMemo(
    () => ({
      fullscreen,
      theatre: theatre?.toggle ?? null,
      help: () => setHelpOpen((isOpen) => !isOpen),
    }),
    [fullscreen, theatre],
  );
  const perform = usePlayerActions(player, screen);
  useHotkeys(root, (action) => {
    wake();
    perform(action);
  });

  useEffect(() => {
    root.toggleAttribute("data-fill", preferences.read().isFilled);
    root.addEventListener("pointermove", wake);
    root.addEventListener("focusin", wake);
    return () => {
      root.removeEventListener("pointermove", wake);
      root.removeEventListener("focusin", wake);
      // The element stays for the next video.
      for (const name of ["data-idle", "data-ad"]) root.removeAttribute(name);
    };
  }, [root, wake]);
  useEffect(() => {
    root.toggleAttribute("data-idle", isHidden);
    root.toggleAttribute("data-ad", adSlot !== null && isAdVisible);
  }, [root, isHidden, adSlot, isAdVisible]);

  const gestures = usePlayerGestures({
    onClick: () => player.toggle(),
    onDoubleClick: fullscreen,
    onTap: () => (isHidden ? wake() : hide()),
    onDoubleTap(side) {
      player.seekBy(side === "left" ? -doubleTapS : doubleTapS);
      setFlash((before) => ({ side, seconds: doubleTapS, key: (before?.key ?? 0) + 1 }));
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
        />
      ) : null}
      {isHelpOpen && KeySheet !== null ? <KeySheet onClose={() => setHelpOpen(false)} /> : null}
    </>
  );
}
