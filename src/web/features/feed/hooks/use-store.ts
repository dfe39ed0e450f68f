import { useSyncExternalStore } from "react";
import type { Store } from "../../player/core/store.ts";

/** One part of a store. `select` must answer the same value for the same state. */
export function useStore<State extends object, Part>(
  store: Pick<Store<State>, "get" | "subscribe">,
  select: (state: State) => Part,
): Part {
  const read = () => select(store.get());
  return useSyncExternalStore(store.subscribe, read, read);
}
