import { HeartIcon, PlayIcon } from "lucide-react";
import { useContext, useEffect, useRef, useState, type ReactNode } from "react";
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
import type { FeedSound } from "../core/sound.ts";
import { clipMediaHtml } from "../core/clip-element.ts";
import { useClipTaps, type Heart } from "../hooks/use-clip-taps.ts";
import { useClipPlayer } from "../hooks/use-clip-player.ts";
import type { LoadLevel } from "../hooks/use-load-levels.ts";
import { feedMessages as messages } from "../messages.ts";
import { FeedScrub } from "./feed-scrub.tsx";
import "./feed-clip.css";

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
  const player = useClipPlayer({ picture, video, isActive, loadLevel, sound });
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
      {player === null || video === null ? null : (
        <ClipScreen
          key={video.id}
          player={player}
          onLike={props.onLike}
          poster={poster}
          isActive={isActive}
        />
      )}
      {children}
      {player === null || video === null ? null : <FeedScrub player={player} isActive={isActive} />}
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
  const press = useClipTaps({
    toggle: () => player.toggle(),
    like(at) {
      setHeart(at);
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
      {overlay === "fault" && fault !== null ? (
        <FaultOverlay fault={fault} onRetry={() => player.retry()} />
      ) : null}
    </>
  );
}
