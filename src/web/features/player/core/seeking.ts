import type { PlayerContext } from "./player-context.ts";

export interface Seeking {
  seekTo(positionS: number): void;
  seekBy(deltaS: number): void;
  /** Seeks to the beginning of a resumed video. */
  startOver(): void;
}

export function createSeeking(player: PlayerContext): Seeking {
  const { store } = player;

  function seekTo(positionS: number): void {
    const { durationS, adSlot } = store.get();
    if (player.viewing === null || adSlot !== null) return;
    const target = Math.min(Math.max(0, positionS), durationS || positionS);
    store.commit({ positionS: target, resumedAtS: null });
    player.media.currentTime = target;
  }

  return {
    seekTo,
    seekBy: (deltaS) => seekTo(player.media.currentTime + deltaS),
    startOver() {
      if (store.get().resumedAtS !== null) seekTo(0);
    },
  };
}
