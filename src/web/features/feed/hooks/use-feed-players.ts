import { useMemo, useState } from "react";
import type { Player } from "#web/features/player/core/player.ts";

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
