import { useEffect, useState } from "react";
import type { Video } from "#contract/videos/videos.ts";

/**
 * Returns the video with its media while this browser has a valid pass. Pages contain locked videos
 * without media, because the same copy serves everyone.
 */
export function useMemberVideo(video: Video): Video {
  const [opened, setOpened] = useState<Video | null>(null);
  useEffect(() => {
    if (video.isLocked !== true) return;
    const ended = new AbortController();
    import("./watch-pass.ts").then(
      ({ watchPass }) => watchPass(video.id, setOpened, ended.signal),
      console.warn,
    );
    return () => ended.abort();
  }, [video]);
  return opened?.id === video.id ? opened : video;
}
