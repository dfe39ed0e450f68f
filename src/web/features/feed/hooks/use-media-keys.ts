import { useEffect } from "react";
import type { FeedVideo } from "#contract/lists/feed.ts";
import { connectMoves, connectSystem } from "#web/features/player/core/connect-system.ts";
import type { Player } from "#web/features/player/core/player.ts";

/**
 * Lets media keys, headsets and the lock screen control the current clip and move to its neighbors.
 */
export function useMediaKeys(
  player: Player | null,
  video: FeedVideo | null,
  siteName: string,
  move: (direction: 1 | -1) => void,
): void {
  useEffect(() => {
    if (video === null) return connectMoves(move);
    if (player === null) return;
    const source = { title: video.title, posterUrl: video.thumbnailUrl };
    return connectSystem(
      player,
      source,
      siteName,
      () => () => move(1),
      () => move(-1),
    );
    // Changed counts of the same clip have no effect.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [player, video?.id, siteName, move]);
}
