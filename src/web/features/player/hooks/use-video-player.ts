import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import type { Video } from "#contract/videos/videos.ts";
import { useSite } from "#web/lib/page/site.ts";
import type { AdDirector, AdHooks } from "../core/ads/ad-director.ts";
import { prefersReducedMotion } from "../core/browser-player.ts";
import { connectSystem } from "../core/connect-system.ts";
import type { Player } from "../core/player.ts";
import { toPlayerSource } from "../core/sources/player-source.ts";
import { isKept, keepPlaying } from "../mini/keep-playing.ts";
import type { NextVideo } from "../next-video.ts";
import { createVideoPlayer } from "../core/video-player.ts";

export interface VideoPlayerOptions {
  media: HTMLVideoElement;
  video: Video;
  /** Null for no ads. */
  directAds: ((hooks: AdHooks) => AdDirector) | null;
  adContainer: () => HTMLElement | null;
  autoPlay: boolean;
  next: NextVideo | null;
  /** True if the visitor pressed play before the controls existed. */
  isPlayRequested: boolean;
}

/** Creates the player for this element once and loads every video that is passed to it. */
export function useVideoPlayer(options: VideoPlayerOptions): Player | null {
  const { media, video, directAds, adContainer, autoPlay, isPlayRequested } = options;
  const navigate = useNavigate();
  const next = useRef(options.next);
  next.current = options.next;
  const [player, setPlayer] = useState<Player | null>(null);
  const { name, settings } = useSite();

  useEffect(() => {
    const ads = directAds === null ? null : { direct: directAds, container: adContainer };
    const created = createVideoPlayer({ media, ads });
    setPlayer(created);
    return () => {
      if (!isKept(created)) created.destroy();
    };
  }, [media, directAds, adContainer]);

  // Runs before React removes the elements, because a video outside the document stops.
  const kept = useRef(video);
  kept.current = video;
  useLayoutEffect(() => {
    if (player === null) return;
    return () => keepPlaying(player, kept.current, name);
  }, [player, name]);

  const isAsked = useRef(isPlayRequested);
  useEffect(() => {
    if (player === null) return;
    const source = toPlayerSource(video, settings.evenLoudness);
    player.load(source);
    if (isAsked.current) player.play();
    else if (autoPlay && !prefersReducedMotion()) player.play({ isAutoplay: true });
    isAsked.current = false;
    return connectSystem(player, source, name, () => {
      const href = next.current?.href;
      return href === undefined ? null : () => void navigate(href);
    });
    // Changed counts of the same video don't reload it.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [player, video.id, video.videoUrl, video.hlsUrl]);

  return player;
}
