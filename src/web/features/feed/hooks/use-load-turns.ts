import { useEffect, useState } from "react";
import { isSavingData } from "../../player/core/browser-player.ts";
import type { Player } from "../../player/core/player.ts";
import { bufferedAheadS } from "../../player/core/state/player-state.ts";

/** So much in hand, or all of it, and the clip on the screen no longer needs the whole line. */
const comfortS = 4;
/** A slow line never gets that far; the neighbour's first bytes are worth more then. */
const patienceMs = 2500;
/** Somebody who leaves after a second must find the next picture there all the same. */
const startPatienceMs = 500;

function isComfortable(player: Player): boolean {
  const { buffered, positionS, durationS, isPlayable } = player.store.get();
  const aheadS = bufferedAheadS(buffered, positionS);
  return isPlayable && (aheadS >= comfortS || positionS + aheadS >= durationS - 0.3);
}

/** Resolves a turn as soon as `isDone`, or after `waitMs`. */
function useTurn(
  player: Player | null,
  key: string,
  isDone: (player: Player) => boolean,
  waitMs: number,
): boolean {
  const [doneKey, setDoneKey] = useState("");
  useEffect(() => {
    if (player === null || doneKey === key) return;
    const finish = () => setDoneKey(key);
    const look = () => {
      if (isDone(player)) finish();
    };
    const stop = player.store.subscribe(look);
    const timer = window.setTimeout(finish, waitMs);
    look();
    return () => {
      stop();
      window.clearTimeout(timer);
    };
  }, [player, key, doneKey, isDone, waitMs]);
  return doneKey === key;
}

const hasFrame = (player: Player) => player.store.get().hasFrame;
/** A moment of it is in hand. */
const isUnderWay = (player: Player) => {
  const { buffered, positionS, hasFrame: isThere } = player.store.get();
  return isThere && bufferedAheadS(buffered, positionS) >= 0.5;
};

/** Nothing yet, the first picture, or as much as the browser likes. */
export type LoadTurn = "wait" | "first" | "fill";

/**
 * Who may load how much. What is on the screen comes first; as soon as it plays, the first picture
 * of the neighbour in the direction of travel; the rest of it when the clip on the screen no longer
 * needs the whole line; then the other neighbour. So never more than two fill at once. Saving data,
 * the neighbour keeps to its first picture and the other one to nothing.
 */
export function useLoadTurns(options: {
  place: number;
  direction: 1 | -1;
  playerAt: (place: number) => Player | null;
  /** What is on the screen is no video: nothing has to wait for it. */
  isAd: boolean;
}): (place: number) => LoadTurn {
  const { place, direction, playerAt, isAd } = options;
  const active = playerAt(place);
  const isStarted = useTurn(active, `start ${place}`, isUnderWay, startPatienceMs) || isAd;
  const isDone = useTurn(active, `active ${place}`, isComfortable, patienceMs) || isAd;
  const ahead = place + direction;
  const isAheadDone = useTurn(
    isDone ? playerAt(ahead) : null,
    `ahead ${ahead}`,
    hasFrame,
    patienceMs,
  );
  return (asked) => {
    if (asked === place) return "fill";
    if (asked === ahead) {
      if (!isStarted) return "wait";
      return isDone && !isSavingData() ? "fill" : "first";
    }
    return isDone && isAheadDone && !isSavingData() ? "first" : "wait";
  };
}
