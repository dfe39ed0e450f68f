import { useEffect, useState } from "react";
import type { StoryboardTile } from "../core/storyboard/storyboard.ts";

const none: StoryboardTile[] = [];

/** Returns the tiles of a video. They are loaded when a pointer reaches the seek bar. */
export function useStoryboard(url: string | null, isWanted: boolean): StoryboardTile[] {
  const [loaded, setLoaded] = useState<{ url: string; tiles: StoryboardTile[] } | null>(null);
  useEffect(() => {
    if (url === null || !isWanted || loaded?.url === url) return;
    const leaving = new AbortController();
    const load = async () => {
      const [{ parseStoryboard }, response] = await Promise.all([
        import("../core/storyboard/parse-storyboard.ts"),
        fetch(url, { signal: leaving.signal }),
      ]);
      if (!response.ok) return;
      setLoaded({ url, tiles: parseStoryboard(await response.text(), response.url) });
    };
    load().catch((error: unknown) => {
      if (!leaving.signal.aborted) console.warn("storyboard failed", error);
    });
    return () => leaving.abort();
  }, [url, isWanted, loaded]);
  return loaded?.url === url ? loaded.tiles : none;
}
