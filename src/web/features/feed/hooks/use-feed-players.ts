import { useEffect, useState, useMemo } from "react";
import { isSavingData } from "#web/lib/data-saver.ts";
import type { Player } from "#web/features/player/core/player.ts";
import { bufferedAheadS } from "#web/features/player/core/player-state.ts";

/** Buffered seconds after which the active clip no longer needs the whole bandwidth. */
const enoughS = 4;
/**
 * Maximum wait for this. Slow connections never buffer that much, so the neighbor's first frame is
 * loaded anyway.
 */
const maxWaitMs = 2500;
/**
 * Maximum wait for the active clip to start. Visitors who move on after a second still see the
 * neighbor's first frame.
 */
const maxStartWaitMs = 500;

function hasEnough(player: Player): boolean {
  const { buffered, positionS, durationS, isPlayable } = player.store.get();
  const aheadS = bufferedAheadS(buffered, positionS);
  return isPlayable && (aheadS >= enoughS || positionS + aheadS >= durationS - 0.3);
}

/** Returns whether `isDone` was true once for this key or `waitMs` have passed. */
function useCondition(
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
const hasStarted = (player: Player) => {
  const { buffered, positionS, hasFrame: isThere } = player.store.get();
  return isThere && bufferedAheadS(buffered, positionS) >= 0.5;
};

/** What to load: nothing, the first frame, or as much as the browser buffers. */
export type LoadLevel = "wait" | "first" | "fill";

/**
 * Returns how much each slot may load. The active clip comes first. Once it plays, the neighbor in
 * the direction of travel loads its first frame, and the rest once the active clip has buffered
 * enough. The other neighbor loads its first frame last, so at most two elements buffer at the same
 * time. To save data, the first neighbor only loads its first frame, and the other one loads
 * nothing.
 */
export function useLoadLevels(options: {
  place: number;
  direction: 1 | -1;
  playerAt: (place: number) => Player | null;
  /** Ads don't delay their neighbors. */
  isAd: boolean;
}): (place: number) => LoadLevel {
  const { place, direction, playerAt, isAd } = options;
  const active = playerAt(place);
  const isStarted = useCondition(active, `start ${place}`, hasStarted, maxStartWaitMs) || isAd;
  const isDone = useCondition(active, `active ${place}`, hasEnough, maxWaitMs) || isAd;
  const ahead = place + direction;
  const hasLoadedAhead = useCondition(
    isDone ? playerAt(ahead) : null,
    `ahead ${ahead}`,
    hasFrame,
    maxWaitMs,
  );
  return (slotPlace) => {
    if (slotPlace === place) return "fill";
    if (slotPlace === ahead) {
      if (!isStarted) return "wait";
      return isDone && !isSavingData() ? "fill" : "first";
    }
    return isDone && hasLoadedAhead && !isSavingData() ? "first" : "wait";
  };
}

/** Returns which of the three mounted items shows a place. */
export const slotOf = (place: number): number => ((place % 3) + 3) % 3;

/** Players of the mounted items, by place. */
export function useFeedPlayers() {
  const [players, setPlayers] = useState<readonly (Player | null)[]>([null, null, null]);
  const setters = useMemo(
    () =>
      [0, 1, 2].map((slot) => (player: Player | null) => {
        setPlayers((before) => before.with(slot, player));
      }),
    [],
  );
  return {
    playerAt: (place: number) => players[slotOf(place)] ?? null,
    onPlayer: (place: number) => setters[slotOf(place)] ?? (() => undefined),
  };
}
