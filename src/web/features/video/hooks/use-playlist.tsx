import { useState, type ReactNode } from "react";
import { useLocation } from "react-router";
import { useLazyComponent } from "#web/lib/use-lazy-component.ts";
import type { NextVideo } from "#web/features/player/use-video-player.ts";

const loadBar = async () => (await import("../components/playlist-bar.tsx")).PlaylistBar;

/**
 * If the URL contains a playlist of this browser or the queue of this tab, returns its bar and the next
 * video. The video plays without them until the bar is loaded.
 */
export function usePlaylist(slug: string): { bar: ReactNode; next: NextVideo | null } {
  const listId = new URLSearchParams(useLocation().search).get("list");
  const [next, setNext] = useState<NextVideo | null>(null);
  const { Lazy: PlaylistBar } = useLazyComponent(loadBar, listId !== null);
  const bar =
    listId !== null && PlaylistBar !== null ? (
      <PlaylistBar listId={listId} slug={slug} onNext={setNext} />
    ) : null;
  return { bar, next };
}
