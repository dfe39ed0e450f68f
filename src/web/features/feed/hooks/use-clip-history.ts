import { useEffect } from "react";
import type { FeedVideo } from "#contract/lists/feed.ts";

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
