import { startTransition, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import type { Video } from "#contract/videos/videos.ts";
import { entry } from "#web/lib/page/location.ts";
import { useSite } from "#web/lib/page/site.ts";
import { playOrigin } from "#web/lib/page/play-origin.ts";
import { parseStartTime } from "#contract/videos/start-time.ts";
import { isSavingData } from "#web/lib/data-saver.ts";
import { plainPath } from "#web/lib/language/page-language.ts";
import type { AdDirector, AdHooks } from "./core/ads/ad-director.ts";
import { prefersReducedMotion, preferences } from "./core/preferences.ts";
import { connectSystem } from "./core/connect-system.ts";
import { type Player, createPlayer } from "./core/player.ts";
import { toPlayerSource, wantsLadder } from "./core/sources/player-source.ts";
import type { PlayerOptions } from "./core/player-context.ts";
import { resumePoints } from "./core/resume-points.ts";
import { sendWatchReport } from "./core/watch-tracker.ts";
import type { MiniPlayerContent } from "./mini-player.tsx";
import "./mini-player.css";

/** Video to play after the current one. */
export interface NextVideo {
  href: string;
  title: string;
  thumbnail: string | null;
}

/**
 * Returns the seconds at which a shared link starts (`?t=90`, `?t=1m30s`), or null. Visitors who
 * return to the page continue at the saved position.
 */
const startOfAddress = (savedS: number | null): number | null =>
  entry.isReturn && savedS !== null
    ? null
    : parseStartTime(new URLSearchParams(window.location.search).get("t"));

/** Creates a player with these options, or with changed ones. */
export type BuildPlayer = (options: PlayerOptions, create: typeof createPlayer) => Player;

/**
 * Returns the player of the video page. It has ads and the adaptive ladder, and remembers the
 * sound, the speed and the position.
 */
function createVideoPlayer(
  options: Pick<PlayerOptions, "media" | "ads">,
  build: BuildPlayer = createPlayer,
): Player {
  const defaults: PlayerOptions = {
    ...options,
    // Private videos can't be found by id.
    sendWatch: window.location.pathname.includes("/private/")
      ? () => undefined
      : sendWatchReport(playOrigin),
    settings: { initial: () => preferences.read(), save: (change) => preferences.write(change) },
    resumePoints,
    findLinkedStart: startOfAddress,
    captionMemory: preferences,
    reportsOnLoad: true,
    showsPoster: true,
    startAtS: 0,
    wantsLadder: (source, abilities) => wantsLadder(source, abilities, isSavingData()),
    loopsAtEnd: () => false,
  };
  return build(defaults, createPlayer);
}

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
  /** Must be the same on every render. */
  build?: BuildPlayer | undefined;
}

/** Creates the player for this element once and loads every video that is passed to it. */
export function useVideoPlayer(options: VideoPlayerOptions): Player | null {
  const { media, video, directAds, adContainer, autoPlay, isPlayRequested, build } = options;
  const navigate = useNavigate();
  const next = useRef(options.next);
  next.current = options.next;
  const [player, setPlayer] = useState<Player | null>(null);
  const { name, settings } = useSite();

  useEffect(() => {
    const ads = directAds === null ? null : { direct: directAds, container: adContainer };
    const created = createVideoPlayer({ media, ads }, build);
    startTransition(() => setPlayer(created));
    return () => {
      if (!minimizedPlayers.has(created)) created.destroy();
    };
  }, [media, directAds, adContainer, build]);

  // Runs before React removes the elements, because a video outside the document stops.
  const { search } = useLocation();
  const latest = useRef({ video, search });
  latest.current = { video, search };
  useLayoutEffect(() => {
    if (player === null) return;
    return () => keepPlaying(player, { ...latest.current, siteName: name });
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

/** Players that the mini player owns, instead of the page that created them. */
const minimizedPlayers = new WeakSet<Player>();

/** Pages without a mini player, because they have their own videos or lack the public layout. */
const withoutMini = /^\/(video|feed|embed|admin|auth|setup)(\/|$)/;

function continuesInCorner(player: Player): boolean {
  const { isPaused, isEnded, adSlot, fault } = player.store.get();
  const { search } = window.location;
  const pathname = plainPath(window.location.pathname) ?? "";
  const isFeed = pathname === "/" && search === "";
  return (
    !isPaused &&
    !isEnded &&
    adSlot === null &&
    fault === null &&
    !isFeed &&
    !withoutMini.test(pathname)
  );
}

/**
 * Called before the elements of a video page are removed. Moves the element of a playing video to
 * the corner within one task, so that playback isn't interrupted.
 */
function keepPlaying(player: Player, content: MiniPlayerContent): void {
  if (!continuesInCorner(player)) return;
  minimizedPlayers.add(player);
  const frame = document.body.appendChild(document.createElement("section"));
  frame.className = "mini-player";
  frame.append(player.media);
  import("./mini-player.tsx").then(
    ({ showMiniPlayer }) => showMiniPlayer(frame, player, content),
    (error: unknown) => {
      console.warn("Couldn't load the mini player", error);
      frame.remove();
      player.destroy();
    },
  );
}
