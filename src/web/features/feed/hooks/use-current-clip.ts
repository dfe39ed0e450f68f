import { useRef, useState, useEffect } from "react";
import type { FeedVideo } from "#contract/lists/feed.ts";
import { toast } from "#web/components/ui/toast.tsx";
import { changeLike } from "#web/lib/api/visitor-marks.ts";
import { connectMoves, connectSystem } from "#web/features/player/core/connect-system.ts";
import type { Player } from "#web/features/player/core/player.ts";
import { useSite } from "#web/lib/page/site.ts";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";

const messages = inLanguage("feed");

/** Changes likes. Reports failures to the visitor. */
export function useLike(
  video: FeedVideo | null,
  onPatch: (videoId: string, patch: Partial<FeedVideo>) => void,
) {
  const [busyId, setBusyId] = useState<string | null>(null);
  const pendingIds = useRef(new Set<string>());

  const press = async (target: FeedVideo) => {
    const { id, isLiked, likes } = target;
    if (pendingIds.current.has(id)) return;
    pendingIds.current.add(id);
    setBusyId(id);
    try {
      await changeLike(id, { liked: isLiked, likesCount: likes }, (status) =>
        onPatch(id, { isLiked: status.liked, likes: status.likesCount }),
      );
    } catch (error) {
      console.warn("like failed", error);
      toast.error(messages.likeFailed);
    } finally {
      pendingIds.current.delete(id);
      setBusyId((busy) => (busy === id ? null : busy));
    }
  };

  return {
    isBusy: video !== null && busyId === video.id,
    press: (): void => {
      if (video !== null) void press(video);
    },
  };
}

export type LikeButton = ReturnType<typeof useLike>;

/**
 * Lets media keys, headsets and the lock screen control the current clip and move to its neighbors.
 */
export function useMediaKeys(
  player: Player | null,
  video: FeedVideo | null,
  siteName: string,
  move: (direction: 1 | -1) => void,
): void {
  useEffect(() => {
    if (video === null) return connectMoves(move);
    if (player === null) return;
    const source = { title: video.title, posterUrl: video.thumbnailUrl };
    return connectSystem(
      player,
      source,
      siteName,
      () => () => move(1),
      () => move(-1),
    );
    // Changed counts of the same clip have no effect.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [player, video?.id, siteName, move]);
}

/**
 * Shows the URL of the current clip. Moving through the feed replaces the history entry. The first
 * clip keeps the URL that the visitor opened.
 */
export function useClipAddress(video: FeedVideo | null, isShown: boolean): void {
  const { name } = useSite();
  const isFirst = useRef(true);
  const slug = video?.slug ?? null;
  const title = video?.title ?? "";
  useEffect(() => {
    if (!isShown || slug === null) return;
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    const url = pagePath(`/feed/${encodeURIComponent(slug)}`);
    if (window.location.pathname === url) return;
    window.history.replaceState(window.history.state, "", url);
    document.title = `${title} · ${name}`;
  }, [slug, title, name, isShown]);
}

/** Milliseconds on screen after which a clip counts as watched. */
const watchedMs = 3000;

/** Adds watched clips to this browser's history. */
export function useClipHistory(video: FeedVideo | null, isLive: boolean): void {
  const id = video?.id;
  useEffect(() => {
    if (video === null || !isLive) return;
    const { slug, title, thumbnail, isSensitive, duration } = video;
    const timer = setTimeout(() => {
      // The feed works without the history.
      import("#web/lib/visitor-library/library.ts").then(
        ({ library }) =>
          library.noteWatched({ slug, title, thumbnail, isSensitive, durationS: duration }),
        console.warn,
      );
    }, watchedMs);
    return () => clearTimeout(timer);
    // Changed counts of the same clip don't add it again.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [id, isLive]);
}
