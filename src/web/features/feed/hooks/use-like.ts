import { useRef, useState } from "react";
import type { FeedVideo } from "#contract/lists/feed.ts";
import { toast } from "#web/components/ui/toast.tsx";
import { toggleLike } from "#web/lib/api/visitor-marks.ts";
import { feedMessages as messages } from "../messages.ts";

export interface LikeButton {
  isBusy: boolean;
  press: () => void;
}

/**
 * Updates optimistically: the count changes by one immediately, then becomes the server's count. A
 * failure restores it.
 */
export function useLike(
  video: FeedVideo | null,
  onPatch: (videoId: string, patch: Partial<FeedVideo>) => void,
): LikeButton {
  const [busyId, setBusyId] = useState<string | null>(null);
  const under = useRef(new Set<string>());

  const press = async (target: FeedVideo) => {
    const { id, isLiked, likes } = target;
    if (under.current.has(id)) return;
    under.current.add(id);
    setBusyId(id);
    onPatch(id, { isLiked: !isLiked, likes: Math.max(0, likes + (isLiked ? -1 : 1)) });
    try {
      const { liked, likesCount } = await toggleLike(id);
      onPatch(id, { isLiked: liked, likes: likesCount });
    } catch (error) {
      console.warn("like failed", error);
      onPatch(id, { isLiked, likes });
      toast.error(messages.likeFailed);
    } finally {
      under.current.delete(id);
      setBusyId((busy) => (busy === id ? null : busy));
    }
  };

  return {
    isBusy: video !== null && busyId === video.id,
    press: () => {
      if (video !== null) void press(video);
    },
  };
}
