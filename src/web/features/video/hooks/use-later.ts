import { useEffect, useState } from "react";
import type { Video } from "#contract/videos/videos.ts";

/** Notes the visit in this browser's history, and whether the video is kept for later. */
export function useLater({ slug, title, thumbnail, isSensitive, duration }: Video) {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    let stop = () => {};
    let isGone = false;
    // The page works without it.
    import("#web/lib/visitor-library/library.ts").then(({ library }) => {
      if (isGone) return;
      const look = () => setLater(library.get().later.some((video) => video.slug === slug));
      stop = library.subscribe(look);
      library.noteWatched({ slug, title, thumbnail, isSensitive, durationS: duration });
    }, console.warn);
    return () => {
      isGone = true;
      stop();
    };
  }, [slug, title, thumbnail, isSensitive, duration]);
  return {
    isLater,
    toggle: () => {
      import("#web/lib/visitor-library/library.ts").then(
        ({ library }) =>
          library.toggleLater({ slug, title, thumbnail, isSensitive, durationS: duration }),
        console.warn,
      );
    },
  };
}
