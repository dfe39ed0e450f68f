import { useSyncExternalStore } from "react";
import type { Player } from "../core/player.ts";
import type { PlayerState } from "../core/player-state.ts";

/** One part of a player's state. `select` must answer the same value for the same state. */
export function usePlayerState<Part>(
  player: Pick<Player, "store">,
  select: (state: PlayerState) => Part,
): Part {
  const read = () => select(player.store.get());
  return useSyncExternalStore(player.store.subscribe, read, read);
}
