import { useMemo, useState } from "react";
import type { Player } from "#web/features/player/core/player.ts";

const slots = [0, 1, 2] as const;

/** Returns which of the three mounted items shows a place. */
export const slotOf = (place: number): number => ((place % 3) + 3) % 3;

/** Players of the mounted items, by place. */
export function useFeedPlayers() {
  const [players, setPlayers] = useState<readonly (Player | null)[]>([null, null, null]);
  const setters = useMemo(
    () =>
      slots.map((slot) => (player: Player | null) => {
        setPlayers((before) => before.map((old, index) => (index === slot ? player : old)));
      }),
    [],
  );
  return {
    playerAt: (place: number) => players[slotOf(place)] ?? null,
    onPlayer: (place: number) => setters[slotOf(place)] ?? (() => undefined),
  };
}
