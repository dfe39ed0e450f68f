import {
  BookmarkIcon,
  EllipsisIcon,
  ForwardIcon,
  HeartIcon,
  Volume2Icon,
  VolumeXIcon,
} from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { toast } from "#web/components/ui/toast.tsx";
import type { FeedVideo } from "#contract/lists/feed.ts";
import { useShareSheet } from "#web/components/share/use-share-sheet.tsx";
import { counted, formatCount } from "#web/lib/format/format.ts";
import { setFavorite } from "#web/lib/api/visitor-marks.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";
import type { FeedSound } from "../core/sound.ts";
import type { LikeButton } from "../hooks/use-current-clip.ts";
import { useStore } from "#web/lib/store.ts";
import { useLazyPopup } from "#web/features/player/components/use-lazy-popup.ts";
import type { Player } from "#web/features/player/core/player.ts";
import { useReport } from "#web/features/report/use-report.tsx";
import "./feed-rail.css";
import { copyText, shareByDevice } from "#web/lib/copy-text.ts";

const formatTexts = inLanguage("format");
const messages = inLanguage("feed");

/** Opens the device's share sheet, or copies the link if there is none. */
async function shareClip(title: string, url: string): Promise<void> {
  if (await shareByDevice(title, url)) return;
  if (await copyText(url)) window.alert(messages.linkCopied);
  else window.prompt(messages.linkIs(title), url);
}

const loadFeedMenu = async () => (await import("./feed-menu.tsx")).FeedMenu;

interface FeedRailProps {
  video: FeedVideo;
  like: LikeButton;
  sound: FeedSound;
  player: Player | null;
  onPatch: (videoId: string, patch: Partial<FeedVideo>) => void;
  onSteer: (isUnwanted: boolean) => void;
}

/** Actions of a clip. They are over the video on phones and beside the frame on wide screens. */
export function FeedRail({ video, like, sound, player, onPatch, onSteer }: FeedRailProps) {
  const isMuted = useStore(sound.store, (state) => state.isMuted);
  const { isFavorite, id } = video;
  const [isSaving, setSaving] = useState(false);
  const [hasMenu, setHasMenu] = useState(false);
  const { Lazy: FeedMenu } = useLazyPopup(loadFeedMenu, hasMenu, setHasMenu);
  const report = useReport(video);
  const share = useShareSheet();
  const more = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    setSaving(false);
    setHasMenu(false);
  }, [id]);

  const save = async () => {
    if (isSaving) return;
    setSaving(true);
    onPatch(id, { isFavorite: !isFavorite });
    try {
      onPatch(id, { isFavorite: await setFavorite(id, !isFavorite) });
    } catch {
      onPatch(id, { isFavorite });
      toast.error(messages.favoriteFailed);
    } finally {
      setSaving(false);
    }
  };

  const path = `/feed/${encodeURIComponent(video.slug)}`;

  const count = formatCount(video.likes);
  // Some languages write "one" and "two" as words. The accessible name must contain the visible
  // text.
  const words = counted(video.likes, formatTexts.likes);
  return (
    <div role="group" aria-label={messages.rail} className="feed-rail">
      <button
        type="button"
        className="feed-rail-button"
        data-liked={video.isLiked || undefined}
        aria-pressed={video.isLiked}
        aria-label={
          like.isBusy ? messages.liking : messages.likeOf(words.includes(count) ? words : count)
        }
        aria-disabled={like.isBusy}
        onClick={like.press}
      >
        <HeartIcon className="feed-rail-icon" fill={video.isLiked ? "currentColor" : "none"} />
        <span>{like.isBusy ? messages.liking : count}</span>
      </button>
      <button
        type="button"
        className="feed-rail-button"
        aria-pressed={isFavorite}
        aria-label={messages.favorite}
        aria-disabled={isSaving}
        onClick={() => void save()}
      >
        <BookmarkIcon className="feed-rail-icon" fill={isFavorite ? "currentColor" : "none"} />
        <span>{messages.saved}</span>
      </button>
      <button
        type="button"
        className="feed-rail-button"
        onClick={() => void shareClip(video.title, share.urlOf(path))}
      >
        <ForwardIcon className="feed-rail-icon rtl:-scale-x-100" />
        <span>{messages.share}</span>
      </button>
      <button
        type="button"
        className="feed-rail-button"
        aria-keyshortcuts="M"
        onClick={() => sound.setMuted(!isMuted)}
      >
        {isMuted ? (
          <VolumeXIcon className="feed-rail-icon [&>:first-child]:fill-current" />
        ) : (
          <Volume2Icon className="feed-rail-icon [&>:first-child]:fill-current" />
        )}
        <span>{isMuted ? messages.unmute : messages.mute}</span>
      </button>
      <button
        ref={more}
        type="button"
        className="feed-rail-button"
        aria-label={messages.more}
        aria-haspopup="menu"
        aria-expanded={hasMenu}
        onClick={() => setHasMenu(!hasMenu)}
      >
        <EllipsisIcon className="feed-rail-icon" />
        <span>{messages.moreShort}</span>
      </button>
      {hasMenu && FeedMenu !== null ? (
        <FeedMenu
          video={video}
          player={player}
          anchor={more.current}
          onClose={() => setHasMenu(false)}
          onSteer={onSteer}
          onReport={report.open}
          onShare={() => share.open({ ...video, path, positionS: null })}
        />
      ) : null}
      {report.dialog}
      {share.sheet}
    </div>
  );
}
