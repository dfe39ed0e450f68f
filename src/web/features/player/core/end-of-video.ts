import type { Playback } from "./playback.ts";
import type { PlayerContext } from "./player-context.ts";

/**
 * Creates the handler for the end of the content. It repeats from zero, or plays a post-roll and
 * ends.
 */
export function createEndOfVideo(player: PlayerContext, playback: Playback): () => void {
  const { store, options } = player;
  return () => {
    if (player.viewing === null) return;
    const { source, watch, ads, life } = player.viewing;
    const { media } = player;
    watch.complete(Number.isFinite(media.duration) ? media.duration : source.durationS);
    if (options.loopsAtEnd() && player.shouldPlay) {
      media.currentTime = 0;
      playback.resume();
      return;
    }
    player.shouldPlay = false;
    const finish = () => {
      if (!life.signal.aborted) {
        store.commit({ isEnded: true, isPaused: true, isBuffering: false });
      }
    };
    if (ads === null) finish();
    else void ads.atEnd().then(finish);
  };
}
