import { useCallback, useEffect, useRef, useState } from "react";
import { toast } from "#web/components/ui/toast.tsx";
import { focusNextItem } from "#web/lib/focus-next-item.ts";
import type { CardVideo } from "#web/lib/lists/card-video.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";
import { limits } from "#contract/limits.ts";
import { useIsHydrated } from "#web/lib/hydration-phase.ts";
import { recallList, rememberList } from "#web/lib/lists/list-memory.ts";
import { recallScroll } from "#web/lib/lists/scroll-memory.ts";
import { documentLoadType, useEntryKey } from "#web/lib/page/location.ts";
import { fetchFavorites, removeFavorite } from "./calls.ts";

const messages = inLanguage("favorites");

type Phase = "loading" | "ready" | "failed";

/**
 * Returns this visitor's favorites. Pages are loaded when they are needed. Back loads as many as
 * before.
 */
export function useFavorites(isWanted: boolean) {
  const key = useEntryKey();
  const isHydrated = useIsHydrated();
  // Read at once, because the placeholder is too short for the scroll position, which then changes.
  const [former] = useState(() => {
    // A reload or a typed URL starts a new list.
    const isReturn = isHydrated || documentLoadType() === "back_forward";
    const count = isReturn ? recallList(key)?.videos.length : undefined;
    return {
      count: Math.max(count ?? 0, limits.publicPageSize),
      y: isReturn ? recallScroll(key) : null,
    };
  });
  const [videos, setVideos] = useState<CardVideo[]>([]);
  const [total, setTotal] = useState(0);
  const [phase, setPhase] = useState<Phase>("loading");
  const [isLoadingMore, setIsLoadingMore] = useState(false);
  const isMounted = useRef(true);

  const load = useCallback(async () => {
    setPhase("loading");
    try {
      const page = await fetchFavorites(0, former.count);
      if (!isMounted.current) return;
      setVideos(page.videos);
      setTotal(page.total);
      setPhase("ready");
    } catch (error) {
      console.warn("Favorites failed", error);
      if (isMounted.current) setPhase("failed");
    }
  }, [former]);

  useEffect(() => {
    isMounted.current = true;
    if (isWanted) void load();
    return () => {
      isMounted.current = false;
    };
  }, [load, isWanted]);

  useEffect(() => {
    if (phase === "ready") rememberList(key, { videos, total, nextCursor: null, didYouMean: null });
  }, [key, phase, videos, total]);

  useEffect(() => {
    if (phase === "ready" && former.y !== null) window.scrollTo(0, former.y);
  }, [phase, former]);

  const loadMore = async () => {
    if (isLoadingMore) return;
    setIsLoadingMore(true);
    try {
      const page = await fetchFavorites(videos.length);
      setVideos((now) => {
        const known = new Set(now.map((video) => video.slug));
        return [...now, ...page.videos.filter((video) => !known.has(video.slug))];
      });
      setTotal(page.total);
    } catch (error) {
      console.error("More favorites failed", error);
      toast.error(messages.failed);
    } finally {
      setIsLoadingMore(false);
    }
  };

  const remove = async (video: CardVideo) => {
    const place = videos.indexOf(video);
    focusNextItem();
    setVideos((now) => now.filter((other) => other !== video));
    setTotal((now) => now - 1);
    try {
      await removeFavorite(video.slug);
      toast.success(messages.removed);
    } catch (error) {
      console.warn("Removing a favorite failed", error);
      setVideos((now) => now.toSpliced(place, 0, video));
      setTotal((now) => now + 1);
      toast.error(messages.removeFailed);
    }
  };

  const hasMore = videos.length < total;
  return {
    videos,
    total,
    /** True if some favorites haven't been loaded. */
    hasMore,
    /** True if the visitor has no favorites. */
    isEmpty: phase === "ready" && videos.length === 0 && !hasMore,
    phase,
    isLoadingMore,
    load,
    loadMore,
    remove,
  };
}
