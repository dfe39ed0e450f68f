import { useSyncExternalStore } from "react";
import type { ReadableStore } from "./store.ts";

/** Returns one part of a store. `select` must return the same value for the same state. */
export function useStore<State extends object, Part>(
  store: ReadableStore<State>,
  select: (state: State) => Part,
): Part {
  const read = () => select(store.get());
  return useSyncExternalStore(store.subscribe, read, read);
}
