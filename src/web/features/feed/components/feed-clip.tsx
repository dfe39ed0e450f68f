import { HeartIcon, PlayIcon } from "lucide-react";
import {
  useContext,
  useEffect,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
  type MouseEvent,
} from "react";
import type { FeedVideo } from "#contract/lists/feed.ts";
import { FirstVideoContext } from "#web/lib/page/first-video.ts";
import {
  FaultOverlay,
  LoadingOverlay,
} from "#web/features/player/components/overlay/overlay-parts.tsx";
import type { Player } from "#web/features/player/core/player.ts";
import { chooseOverlay } from "#web/features/player/core/player-state.ts";
import { useLazyComponent } from "#web/lib/use-lazy-component.ts";
import { usePlayerState } from "#web/features/player/use-player-state.ts";
import { useSite } from "#web/lib/page/site.ts";
import { useStore } from "#web/lib/store.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";
import type { FeedSound } from "../core/sound.ts";
import { clipMediaHtml } from "../core/clip-element.ts";
import type { LoadLevel } from "../hooks/use-feed-players.ts";
import { FeedScrub } from "./feed-scrub.tsx";
import { activateClip, chooseClipSource, createClipPlayer } from "../core/clip-player.ts";
import "./feed-clip.css";

const messages = inLanguage("feed");

const loadCaptions = async () =>
  (await import("#web/features/player/components/caption-overlay.tsx")).CaptionOverlay;

interface FeedClipProps {
  video: FeedVideo | null;
  isActive: boolean;
  loadLevel: LoadLevel;
  /** True for the clip that the server rendered. It plays before any script has loaded. */
  isFirst: boolean;
  sound: FeedSound;
  onPlayer: (player: Player | null) => void;
  /** Called on a double tap on the clip. */
  onLike: () => void;
  children?: ReactNode;
}

/**
 * Returns whether the video fills the slot. Landscape videos are centered on their blurred poster.
 */
function isUpright(video: FeedVideo): boolean {
  return video.width !== null && video.height !== null && video.width / video.height < 0.8;
}

/** One slot of the feed. The element stays the same and shows the current clip. */
export function FeedClip(props: FeedClipProps) {
  const { video, isActive, loadLevel, isFirst, sound, onPlayer, children } = props;
  const picture = useRef<HTMLDivElement>(null);
  const place = useContext(FirstVideoContext);
  const html = useRef(clipMediaHtml(isFirst ? (video?.videoUrl ?? null) : null, place));
  // Nothing to play without a pass.
  const clip = video?.isLocked === true ? null : video;
  const player = useClipPlayer({ picture, video: clip, isActive, loadLevel, sound });
  useEffect(() => onPlayer(player), [player, onPlayer]);

  const poster = video?.posterUrl ?? video?.thumbnailUrl ?? null;
  return (
    <div
      className="feed-clip"
      data-upright={(video !== null && isUpright(video)) || undefined}
      hidden={video === null}
    >
      {poster === null ? null : (
        <>
          <img
            key={`back-${poster}`}
            src={poster}
            alt=""
            className="feed-backdrop"
            fetchPriority="low"
          />
          <img
            key={poster}
            src={poster}
            alt=""
            className="feed-poster"
            fetchPriority={isActive ? "high" : "low"}
          />
        </>
      )}
      <div
        ref={picture}
        className="feed-picture"
        // The page's first script may have created the element already.
        suppressHydrationWarning
        dangerouslySetInnerHTML={{ __html: html.current }}
      />
      {player === null || clip === null ? null : (
        <ClipScreen
          key={clip.id}
          player={player}
          onLike={props.onLike}
          poster={poster}
          isActive={isActive}
        />
      )}
      {children}
      {player === null || clip === null ? null : <FeedScrub player={player} isActive={isActive} />}
    </div>
  );
}

function ClipScreen({
  player,
  onLike,
  poster,
  isActive,
}: {
  player: Player;
  onLike: () => void;
  poster: string | null;
  isActive: boolean;
}) {
  const overlay = usePlayerState(player, chooseOverlay);
  const hasFrame = usePlayerState(player, (state) => state.hasFrame);
  const fault = usePlayerState(player, (state) => state.fault);
  const isPaused = usePlayerState(player, (state) => state.isPaused);
  const hasCues = usePlayerState(player, (state) => state.cues.lines.length > 0);
  const { Lazy: CaptionOverlay } = useLazyComponent(loadCaptions, hasCues);
  const [heart, setHeart] = useState<Heart | null>(null);
  const press = useClipTaps(isActive, {
    toggle: () => player.toggle(),
    like(heartAt) {
      setHeart(heartAt);
      onLike();
    },
  });
  return (
    <>
      <button
        type="button"
        className="feed-touch"
        tabIndex={isActive ? 0 : -1}
        aria-label={isPaused ? messages.play : messages.pause}
        onClick={press}
      />
      {CaptionOverlay === null ? null : <CaptionOverlay player={player} />}
      {heart === null ? null : (
        <HeartIcon
          key={heart.key}
          aria-hidden="true"
          className="feed-heart"
          fill="currentColor"
          style={{ left: heart.x, top: heart.y }}
        />
      )}
      {overlay === "loading" ? <LoadingOverlay posterUrl={poster} hasFrame={hasFrame} /> : null}
      {overlay === "play" && isActive ? (
        <div className="player-overlay feed-paused" aria-hidden="true">
          <PlayIcon className="player-icon" fill="currentColor" />
        </div>
      ) : null}
      {overlay === "fault" && fault !== null && isActive ? (
        <FaultOverlay fault={fault} onRetry={() => player.retry()} />
      ) : null}
    </>
  );
}

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
function useClipPlayer(options: ClipOptions): Player | null {
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
  const isLocked = video?.isLocked === true;
  const mustLoad =
    videoId !== null && !isLocked && (loadLevel !== "wait" || loadedId.current === videoId);
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
    if (player === null) return;
    // WebKit allows sound only on elements that a gesture has unmuted, so a press on Unmute also
    // unmutes the paused neighbors for a moment.
    if (!isMuted && !isActive) player.media.muted = false;
    player.setMuted(isMuted || !isActive);
  }, [player, isMuted, isActive, videoId]);

  useEffect(() => {
    if (player === null || videoId === null || !isActive) return;
    return activateClip(player);
  }, [player, videoId, isActive]);

  return player;
}

/**
 * Milliseconds in which a second tap likes the clip. A single tap waits this long before it pauses.
 */
const doubleMs = 250;

/** Position of the heart, and a number that changes with each like. */
interface Heart {
  x: number;
  y: number;
  key: number;
}

/**
 * Handles presses on a clip. One press plays or pauses, two like it. A key press acts immediately.
 */
function useClipTaps(
  isActive: boolean,
  actions: { toggle: () => void; like: (heart: Heart) => void },
) {
  const pending = useRef<number | undefined>(undefined);
  const likes = useRef(0);
  const drop = () => {
    window.clearTimeout(pending.current);
    pending.current = undefined;
  };
  // Drops a pending tap when the visitor moves to another clip.
  useEffect(() => drop, [isActive]);
  return ({ detail, clientX, clientY, currentTarget }: MouseEvent<HTMLElement>) => {
    if (detail === 0) return actions.toggle();
    if (pending.current === undefined) {
      pending.current = window.setTimeout(() => {
        pending.current = undefined;
        actions.toggle();
      }, doubleMs);
      return;
    }
    drop();
    const { left, top } = currentTarget.getBoundingClientRect();
    likes.current += 1;
    actions.like({ x: clientX - left, y: clientY - top, key: likes.current });
  };
}
