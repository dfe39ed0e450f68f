import { MaximizeIcon, PauseIcon, PlayIcon, XIcon } from "lucide-react";
import { createRoot } from "react-dom/client";
import type { Video } from "#contract/videos/videos.ts";
import { buttonClass } from "#web/components/ui/button.tsx";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";
import { videoHref } from "#web/lib/lists/card-video.ts";
import { connectMediaSession } from "./core/media-session.ts";
import { prefersReducedMotion } from "./core/preferences.ts";
import { resumePoints } from "./core/resume-points.ts";
import type { Player } from "./core/player.ts";
import { toPlayerSource } from "./core/sources/player-source.ts";
import { usePlayerState } from "./use-player-state.ts";

const messages = inLanguage("player");

/** Seconds between two saved positions. Back may end playback at any time. */
const saveEveryS = 5;

const iconButton = buttonClass({ kind: "ghost", isSquare: true });

export interface MiniPlayerContent {
  video: Video;
  /** Query of the video's page, which may contain a playlist or series. */
  search: string;
  siteName: string;
}

interface MiniControlsProps extends Pick<MiniPlayerContent, "video" | "search"> {
  player: Player;
  onClose: () => void;
}

function MiniControls({ player, video, search, onClose }: MiniControlsProps) {
  const isPaused = usePlayerState(player, (state) => state.isPaused);
  return (
    <div className="flex items-center py-1 pe-1 ps-3">
      <bdi className="min-w-0 flex-1 truncate text-sm font-medium">{video.title}</bdi>
      <button
        type="button"
        className={iconButton}
        aria-label={isPaused ? messages.play : messages.pause}
        onClick={() => player.toggle()}
      >
        {isPaused ? <PlayIcon className="size-5" /> : <PauseIcon className="size-5" />}
      </button>
      <a
        href={pagePath(videoHref(video.slug) + search)}
        className={iconButton}
        aria-label={messages.backToVideo}
        onClick={({ currentTarget, metaKey, ctrlKey, shiftKey }) => {
          const query = new URLSearchParams(search);
          query.set("t", String(Math.floor(player.store.get().positionS)));
          currentTarget.search = String(query);
          // Without reduced motion, the page's video starts and closes this player.
          const isNewTab = metaKey || ctrlKey || shiftKey;
          if (prefersReducedMotion() && !isNewTab) onClose();
        }}
      >
        <MaximizeIcon className="size-5" />
      </a>
      <button type="button" className={iconButton} aria-label={messages.close} onClick={onClose}>
        <XIcon className="size-5" />
      </button>
    </div>
  );
}

/** Shows controls below a video that keeps playing until it is closed or another one starts. */
export function showMiniPlayer(
  frame: HTMLElement,
  player: Player,
  { video, search, siteName }: MiniPlayerContent,
): void {
  frame.setAttribute("aria-label", messages.mini);
  const root = createRoot(frame.appendChild(document.createElement("div")));
  const source = toPlayerSource(video, true);
  const disconnect = connectMediaSession(player, source, siteName, () => null);
  const life = new AbortController();
  const close = () => {
    life.abort();
    stopSaving();
    disconnect();
    root.unmount();
    frame.remove();
    player.destroy();
  };
  // Ignores previews on cards, which play too.
  const onPlay = ({ target }: Event) => {
    if (!(target instanceof Element) || frame.contains(target)) return;
    if (target.closest(".player, .feed-clip, .mini-player") !== null) close();
  };
  let savedS = 0;
  // The switch to the ladder may replace the element.
  const stopSaving = player.store.subscribe(() => {
    const { positionS, durationS } = player.store.get();
    if (Math.abs(positionS - savedS) < saveEveryS) return;
    savedS = positionS;
    resumePoints.save(video.id, positionS, durationS);
  });
  document.addEventListener("play", onPlay, { capture: true, signal: life.signal });
  root.render(<MiniControls player={player} video={video} search={search} onClose={close} />);
}
