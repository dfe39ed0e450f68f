import { useEffect, useState, type ReactNode } from "react";
import { useLocation } from "react-router";
import type { NextVideo } from "#web/features/player/use-video-player.ts";

/**
 * If the URL contains a playlist of this browser or the queue of this tab, returns its bar and the next
 * video.
 */
export function usePlaylist(slug: string): { bar: ReactNode; next: NextVideo | null } {
  const listId = new URLSearchParams(useLocation().search).get("list");
  const [found, setFound] = useState<{ bar: ReactNode; next: NextVideo | null }>(none);
  useEffect(() => {
    setFound(none);
    if (listId === null) return;
    let isGone = false;
    // The video plays without the playlist.
    import("../components/playlist-bar.tsx").then(({ PlaylistBar, nextInPlaylist }) => {
      if (isGone) return;
      const bar = <PlaylistBar listId={listId} slug={slug} />;
      setFound({ bar, next: nextInPlaylist(listId, slug) });
    }, console.warn);
    return () => {
      isGone = true;
    };
  }, [listId, slug]);
  return found;
}

const none = { bar: null, next: null };
