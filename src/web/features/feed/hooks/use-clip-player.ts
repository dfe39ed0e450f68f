import { useEffect, useRef, useState, type RefObject } from "react";
import type { FeedVideo } from "../../../../contract/feed.ts";
import { limits } from "../../../../contract/limits.ts";
import {
  isSavingData,
  preferences,
  prefersReducedMotion,
} from "../../player/core/browser-player.ts";
import { createPlayer, type Player } from "../../player/core/player.ts";
import { playerSourceOf } from "../../player/core/sources/player-source.ts";
import { sendWatch } from "../../player/core/watch/watch-reporter.ts";
import type { FeedSound } from "../core/sound.ts";
import type { LoadTurn } from "./use-load-turns.ts";
import { useStore } from "../../../lib/use-store.ts";

interface ClipOptions {
  picture: RefObject<HTMLElement | null>;
  /** Null while the slot shows something else, or nothing yet. */
  video: FeedVideo | null;
  isActive: boolean;
  /** How much of it may be loaded now. */
  turn: LoadTurn;
  sound: FeedSound;
}

/** The rendition for this connection: 480 lines where data is dear, but never one clip twice. */
function sourceOf(video: FeedVideo, media: HTMLVideoElement) {
  const source = playerSourceOf(video, null);
  const isUnderWay =
    video.videoUrl !== null && media.currentSrc === new URL(video.videoUrl, document.baseURI).href;
  const small = isSavingData() && !isUnderWay ? video.smallVideoUrl : null;
  return { ...source, progressiveUrl: small ?? source.progressiveUrl };
}

/**
 * The player of one slot of the feed. Slots are recycled: the same element shows one clip after the
 * other, which keeps memory flat and sound allowed.
 */
export function useClipPlayer(options: ClipOptions): Player | null {
  const { picture, video, isActive, turn, sound } = options;
  const [player, setPlayer] = useState<Player | null>(null);
  const isMuted = useStore(sound.store, (state) => state.isMuted);
  const loadedId = useRef<string | null>(null);

  useEffect(() => {
    const media = picture.current?.querySelector("video");
    if (media === null || media === undefined) return;
    const made = createPlayer({
      media,
      preferences,
      sendWatch,
      isFeed: true,
      isLooping: () => !prefersReducedMotion(),
      isSavingData,
      onSilenced: () => sound.silence(),
    });
    setPlayer(made);
    return () => {
      made.destroy();
      loadedId.current = null;
    };
  }, [picture, sound]);

  // What is loaded stays until another clip takes the slot, even if its turn is over.
  const videoId = video?.id ?? null;
  const preload = turn === "fill" || isActive ? "auto" : "metadata";
  useEffect(() => {
    if (player !== null) player.media.preload = preload;
  }, [player, preload]);
  const mustLoad = videoId !== null && (turn !== "wait" || loadedId.current === videoId);
  useEffect(() => {
    if (player === null) return;
    if (mustLoad && video !== null) {
      if (loadedId.current === video.id) return;
      loadedId.current = video.id;
      player.load(sourceOf(video, player.media));
    } else if (loadedId.current !== null) {
      loadedId.current = null;
      player.load(null);
    }
    // Fresher counts of the same clip are no reason to load it again.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [player, videoId, mustLoad]);

  useEffect(() => {
    player?.setMuted(isMuted || !isActive);
  }, [player, isMuted, isActive, videoId]);

  useEffect(() => {
    if (player === null || videoId === null || !isActive) return;
    const start = () => {
      player.beginWatch();
      if (!prefersReducedMotion()) player.play({ isOwnAccord: true });
    };
    // The clip that came with the page plays already: it needs no delay, and no second start.
    const isRunning = !player.store.get().isPaused;
    const timer = window.setTimeout(start, isRunning ? 0 : limits.autoplayDelayMs);
    let wasPlaying = false;
    const onVisibility = () => {
      if (document.visibilityState === "hidden") {
        wasPlaying = !player.store.get().isPaused;
        player.pause();
      } else if (wasPlaying) player.play({ isOwnAccord: true });
    };
    document.addEventListener("visibilitychange", onVisibility);
    return () => {
      window.clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisibility);
      player.pause();
    };
  }, [player, videoId, isActive]);

  return player;
}
