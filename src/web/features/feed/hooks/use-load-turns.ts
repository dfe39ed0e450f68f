import { useEffect, useState } from "react";
import { isSavingData } from "../../player/core/browser-player.ts";
import type { Player } from "../../player/core/player.ts";
import { bufferedAheadS } from "../../player/core/player-state.ts";

/** So much in hand, or all of it, and the clip on the screen no longer needs the whole line. */
const comfortS = 4;
/** A slow line never gets that far; the neighbour's first bytes are worth more then. */
const patienceMs = 2500;

function isComfortable(player: Player): boolean {
  const { buffered, positionS, durationS, isPlayable } = player.store.get();
  const aheadS = bufferedAheadS(buffered, positionS);
  return isPlayable && (aheadS >= comfortS || positionS + aheadS >= durationS - 0.3);
}

/** Resolves a turn as soon as `isDone`, or after `patienceMs`. */
function useTurn(player: Player | null, key: string, isDone: (player: Player) => boolean): boolean {
  const [doneKey, setDoneKey] = useState("");
  useEffect(() => {
    if (player === null || doneKey === key) return;
    const finish = () => setDoneKey(key);
    const look = () => {
      if (isDone(player)) finish();
    };
    const stop = player.store.subscribe(look);
    const timer = window.setTimeout(finish, patienceMs);
    look();
    return () => {
      stop();
      window.clearTimeout(timer);
    };
  }, [player, key, doneKey, isDone]);
  return doneKey === key;
}

const hasFrame = (player: Player) => player.store.get().hasFrame;

/**
 * Who may load when: first what is on the screen, then the neighbour in the direction of travel,
 * then the other one, so that never more than two fill at once. Saving data, only the first two.
 */
export function useLoadTurns(options: {
  place: number;
  direction: 1 | -1;
  playerAt: (place: number) => Player | null;
  /** What is on the screen is no video: nothing has to wait for it. */
  isAd: boolean;
}): (place: number) => boolean {
  const { place, direction, playerAt, isAd } = options;
  const isActiveDone = useTurn(playerAt(place), `active ${place}`, isComfortable) || isAd;
  const ahead = place + direction;
  const isAheadDone = useTurn(isActiveDone ? playerAt(ahead) : null, `ahead ${ahead}`, hasFrame);
  return (asked) => {
    if (asked === place) return true;
    if (asked === ahead) return isActiveDone;
    return isActiveDone && isAheadDone && !isSavingData();
  };
}
