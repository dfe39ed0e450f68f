import { useSyncExternalStore } from "react";

/** Minimal store for `useSyncExternalStore`. Its one value is replaced and never mutated. */
export interface Store<State> {
  get(): State;
  /** Merges a patch. Listeners run only when a value differs. */
  commit(patch: Partial<State>): void;
  replace(state: State): void;
  subscribe(listener: () => void): () => void;
}

/** Read-only part of a store, for the user interface. */
export type ReadableStore<State> = Pick<Store<State>, "get" | "subscribe">;

export function createStore<State extends object>(initial: State): Store<State> {
  let state = initial;
  const listeners = new Set<() => void>();

  const notify = () => {
    for (const listener of [...listeners]) listener();
  };

  return {
    get: () => state,
    commit(patch) {
      const next = { ...state, ...patch };
      const keys = Object.keys(patch) as (keyof State)[];
      if (keys.every((key) => Object.is(state[key], next[key]))) return;
      state = next;
      notify();
    },
    replace(next) {
      state = next;
      notify();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Returns one part of a store. `select` must return the same value for the same state. */
export function useStore<State extends object, Part>(
  store: ReadableStore<State>,
  select: (state: State) => Part,
): Part {
  const read = () => select(store.get());
  return useSyncExternalStore(store.subscribe, read, read);
}
