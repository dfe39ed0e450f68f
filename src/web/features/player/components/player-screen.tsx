import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { InlinePlaylists } from "../../../../contract/page-api.ts";
import type { Video } from "../../../../contract/videos.ts";
import { useSite } from "../../../lib/site.ts";
import type { AdDirector, AdHooks } from "../core/ads/ad-director.ts";
import {
  isSavingData,
  preferences,
  prefersReducedMotion,
  resumePoints,
} from "../core/browser-player.ts";
import type { HotkeyAction } from "../core/hotkeys.ts";
import { createPlayer, type Player } from "../core/player.ts";
import { overlayOf } from "../core/state/player-state.ts";
import { playerSourceOf, type PlayerSource } from "../core/sources/player-source.ts";
import { sendWatch } from "../core/watch/watch-reporter.ts";
import { useFullscreen } from "../hooks/use-fullscreen.ts";
import { useHotkeys } from "../hooks/use-hotkeys.ts";
import { useIdleControls } from "../hooks/use-idle-controls.ts";
import { useLate } from "../hooks/use-late.ts";
import { usePictureGestures } from "../hooks/use-picture-gestures.ts";
import { usePlayerState } from "../hooks/use-player-state.ts";
import { playerMessages as messages } from "../messages.ts";
import { BackIcon, ForwardIcon } from "./player-icons.tsx";
import { PlayerControls } from "./player-controls.tsx";
import { PlayerOverlay } from "./player-overlay.tsx";
import "./player-screen.css";

export interface PlayerScreenProps {
  root: HTMLElement;
  media: HTMLVideoElement;
  video: Video;
  playlists: InlinePlaylists | null;
  /** Null plays without ads. */
  directAds: ((hooks: AdHooks) => AdDirector) | null;
  autoPlay: boolean;
  /** Somebody pressed the picture before the controls were there. */
  isPlayAsked: boolean;
  theatre: { isOn: boolean; toggle: () => void } | null;
}

const loadKeySheet = async () => (await import("./key-sheet.tsx")).KeySheet;

const doubleTapS = 10;
const frameS = 1 / 30;

/** What the system is told can wait for the picture. */
function tellSystem(player: Player, source: PlayerSource, siteName: string): () => void {
  let isOver = false;
  let stop = () => {};
  import("../core/media-session.ts").then(
    ({ connectMediaSession }) => {
      if (!isOver) stop = connectMediaSession(player, source, siteName);
    },
    (error: unknown) => console.warn("the system cannot be told what plays", error),
  );
  return () => {
    isOver = true;
    stop();
  };
}

/** Makes the player for this element once, and gives it every video that comes. */
function usePlayer(props: PlayerScreenProps, stage: () => HTMLElement | null): Player | null {
  const { media, video, playlists, directAds, autoPlay, isPlayAsked } = props;
  const [player, setPlayer] = useState<Player | null>(null);
  const { name } = useSite();

  useEffect(() => {
    const made = createPlayer({
      media,
      preferences,
      resumePoints,
      sendWatch,
      directAds,
      adStage: stage,
      isSavingData,
    });
    setPlayer(made);
    return () => made.destroy();
  }, [media, directAds, stage]);

  const isAsked = useRef(isPlayAsked);
  useEffect(() => {
    if (player === null) return;
    const source = playerSourceOf(video, playlists);
    player.load(source);
    const mayStart = autoPlay && !prefersReducedMotion();
    if (isAsked.current) player.play();
    else if (mayStart) player.play({ isOwnAccord: true });
    isAsked.current = false;
    return tellSystem(player, source, name);
    // The same video with fresher counts is the same viewing.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [player, video.id, video.videoUrl, video.hlsUrl]);

  return player;
}

function useActions(
  player: Player,
  helpers: { fullscreen: () => void; theatre: (() => void) | null; help: () => void },
) {
  return useCallback(
    (action: HotkeyAction) => {
      const { rate, isMuted, volume, durationS, isPaused, positionS, adSlot } = player.store.get();
      if (adSlot !== null && !["fullscreen", "theatre", "help"].includes(action.name)) return;
      if (action.name === "toggle") player.toggle();
      else if (action.name === "seekBy") player.seekBy(action.seconds);
      else if (action.name === "seekToShare") player.seekTo(action.share * durationS);
      else if (action.name === "volumeBy") player.setVolume(volume + action.change);
      else if (action.name === "mute") player.setMuted(!isMuted);
      else if (action.name === "fullscreen") helpers.fullscreen();
      else if (action.name === "theatre") helpers.theatre?.();
      else if (action.name === "pictureInPicture") player.togglePictureInPicture();
      else if (action.name === "captions") toggleCaptions(player);
      else if (action.name === "faster") player.setRate(Math.min(2, rate + 0.25));
      else if (action.name === "slower") player.setRate(Math.max(0.25, rate - 0.25));
      else if (action.name === "frame" && isPaused)
        player.seekTo(positionS + action.direction * frameS);
      else if (action.name === "help") helpers.help();
    },
    [player, helpers],
  );
}

function toggleCaptions(player: Player): void {
  const { captions, activeCaption } = player.store.get();
  player.selectCaption(activeCaption === null ? (captions[0]?.id ?? null) : null);
}

/** Sides that light up when a double tap seeks. */
function SeekFlash({
  flash,
}: {
  flash: { side: "left" | "right"; seconds: number; key: number } | null;
}) {
  if (flash === null) return null;
  const { side, seconds, key } = flash;
  return (
    <div key={key} className={`player-flash player-flash-${side}`} role="status">
      {side === "left" ? <BackIcon /> : <ForwardIcon />}
      <span>{side === "left" ? messages.back(seconds) : messages.forward(seconds)}</span>
    </div>
  );
}

/** The live part of the player: made in the browser around the element that is already there. */
export function PlayerScreen(props: PlayerScreenProps) {
  const stage = useRef<HTMLDivElement>(null);
  const player = usePlayer(
    props,
    useCallback(() => stage.current, []),
  );
  return (
    <>
      {player === null ? null : <LivePlayer {...props} player={player} />}
      <div ref={stage} className="player-stage" />
    </>
  );
}

function LivePlayer(props: PlayerScreenProps & { player: Player }) {
  const { root, player, video, theatre } = props;
  const adSlot = usePlayerState(player, (state) => state.adSlot);
  const isAdVisible = usePlayerState(player, (state) => state.isAdVisible);
  const isPlaying = usePlayerState(
    player,
    (state) => !state.isPaused && overlayOf(state) === "none",
  );
  const [isHelpOpen, setHelpOpen] = useState(false);
  const { Late: KeySheet } = useLate(loadKeySheet, isHelpOpen);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [flash, setFlash] = useState<{
    side: "left" | "right";
    seconds: number;
    key: number;
  } | null>(null);
  const { isHidden, wake, hide } = useIdleControls(isPlaying && !isMenuOpen && !isHelpOpen);
  const { isFullscreen, toggle: fullscreen } = useFullscreen(
    root,
    useCallback(() => player.media, [player]),
  );
  const helpers = useMemo(
    () => ({
      fullscreen,
      theatre: theatre?.toggle ?? null,
      help: () => setHelpOpen((isOpen) => !isOpen),
    }),
    [fullscreen, theatre],
  );
  const act = useActions(player, helpers);
  useHotkeys(root, (action) => {
    wake();
    act(action);
  });

  useEffect(() => {
    root.addEventListener("pointermove", wake);
    root.addEventListener("focusin", wake);
    return () => {
      root.removeEventListener("pointermove", wake);
      root.removeEventListener("focusin", wake);
    };
  }, [root, wake]);
  useEffect(() => {
    root.toggleAttribute("data-idle", isHidden);
    root.toggleAttribute("data-ad", adSlot !== null && isAdVisible);
  }, [root, isHidden, adSlot, isAdVisible]);

  const gestures = usePictureGestures({
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
      <SeekFlash flash={flash} />
      {adSlot === null ? (
        <PlayerControls
          player={player}
          storyboardUrl={video.storyboardUrl}
          isFullscreen={isFullscreen}
          onFullscreen={fullscreen}
          theatre={theatre}
          onMenu={setMenuOpen}
          onToggleCaptions={() => toggleCaptions(player)}
        />
      ) : null}
      {isHelpOpen && KeySheet !== null ? <KeySheet onClose={() => setHelpOpen(false)} /> : null}
    </>
  );
}
