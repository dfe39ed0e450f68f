import { useEffect, useState } from "react";
import type { FeedVideo } from "#contract/lists/feed.ts";
import { LockedPanel } from "./locked-video.tsx";
import { hasPass } from "./has-pass.ts";
import { watchPass } from "./watch-pass.ts";

const locked: Partial<FeedVideo> = {
  isLocked: true,
  videoUrl: null,
  smallVideoUrl: null,
  hlsUrl: null,
  storyboardUrl: null,
};

interface MemberClipProps {
  video: FeedVideo;
  isActive: boolean;
  onPatch: (id: string, patch: Partial<FeedVideo>) => void;
}

/** Opens a clip of the feed for members, and locks it again once the pass has ended. */
export function MemberClip({ video: { id, slug, isLocked }, isActive, onPatch }: MemberClipProps) {
  const [isRefused, setRefused] = useState(() => !hasPass());
  const isWatched = isActive || isLocked === true;
  useEffect(() => {
    if (!isWatched) return;
    const ended = new AbortController();
    void watchPass(
      id,
      (opened) => {
        setRefused(opened === null);
        if (opened === null) return onPatch(id, locked);
        // The feed knows better whether this visitor likes the clip.
        const { isLiked: _, ...media } = opened;
        onPatch(id, { ...media, isLocked: undefined });
      },
      ended.signal,
    );
    return () => ended.abort();
  }, [id, isWatched, onPatch]);
  return isLocked === true && isRefused ? (
    <LockedPanel slug={slug} tabIndex={isActive ? 0 : -1} />
  ) : null;
}
