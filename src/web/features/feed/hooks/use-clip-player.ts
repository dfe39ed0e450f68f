import { useEffect, useRef, useState, type RefObject } from "react";
import type { FeedVideo } from "#contract/lists/feed.ts";
import { useSite } from "#web/lib/page/site.ts";
import { useStore } from "#web/lib/use-store.ts";
import type { Player } from "#web/features/player/core/player.ts";
import { activateClip, chooseClipSource, createClipPlayer } from "../core/clip-player.ts";
import type { FeedSound } from "../core/sound.ts";
import type { LoadLevel } from "./use-load-levels.ts";

interface ClipOptions {
  picture: RefObject<HTMLElement | null>;
  /** Null while the slot shows something else or nothing. */
  video: FeedVideo | null;
  isActive: boolean;
  /** How much the slot may currently load. */
  loadLevel: LoadLevel;
  sound: FeedSound;
}

/**
 * Returns the player of one slot of the feed. Slots are recycled: one element shows one clip after
 * another, which keeps memory use constant and preserves the permission to play sound.
 */
export function useClipPlayer(options: ClipOptions): Player | null {
  const { picture, video, isActive, loadLevel, sound } = options;
  const [player, setPlayer] = useState<Player | null>(null);
  const { evenLoudness } = useSite().settings;
  const isMuted = useStore(sound.store, (state) => state.isMuted);
  const loadedId = useRef<string | null>(null);

  useEffect(() => {
    const media = picture.current?.querySelector("video");
    if (media === null || media === undefined) return;
    const created = createClipPlayer(media, () => sound.silence());
    setPlayer(created);
    return () => {
      created.destroy();
      loadedId.current = null;
    };
  }, [picture, sound]);

  // A loaded clip stays until another one takes the slot, regardless of its level.
  const videoId = video?.id ?? null;
  const preload = loadLevel === "fill" || isActive ? "auto" : "metadata";
  useEffect(() => {
    if (player !== null) player.media.preload = preload;
  }, [player, preload]);
  const mustLoad = videoId !== null && (loadLevel !== "wait" || loadedId.current === videoId);
  useEffect(() => {
    if (player === null) return;
    if (mustLoad && video !== null) {
      if (loadedId.current === video.id) return;
      loadedId.current = video.id;
      player.load(chooseClipSource(video, player.media, evenLoudness));
    } else if (loadedId.current !== null) {
      loadedId.current = null;
      player.load(null);
    }
    // Changed counts of the same clip don't reload it.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [player, videoId, mustLoad]);

  useEffect(() => {
    player?.setMuted(isMuted || !isActive);
  }, [player, isMuted, isActive, videoId]);

  useEffect(() => {
    if (player === null || videoId === null || !isActive) return;
    return activateClip(player);
  }, [player, videoId, isActive]);

  return player;
}
