import { useEffect, useState } from "react";
import type { Video } from "#contract/videos/videos.ts";

/** Adds the video to this browser's history and returns whether it is saved for later. */
export function useLater({ slug, title, thumbnail, isSensitive, duration }: Video) {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    let stop = () => {};
    let isGone = false;
    // The page works without the visitor library.
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
      import("#web/components/save/toggle-later.ts").then(
        ({ toggleLater }) =>
          toggleLater({ slug, title, thumbnail, isSensitive, durationS: duration }),
        console.warn,
      );
    },
  };
}
