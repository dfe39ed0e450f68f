import { useStore } from "#web/lib/store.ts";
import type { Player } from "./core/player.ts";
import type { PlayerState } from "./core/player-state.ts";

/** Returns one part of a player's state. `select` must return the same value for the same state. */
export function usePlayerState<Part>(player: Player, select: (state: PlayerState) => Part): Part {
  return useStore(player.store, select);
}
