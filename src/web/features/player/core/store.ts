/** The smallest store that `useSyncExternalStore` can read: one value, replaced, never mutated. */
export interface Store<State> {
  get(): State;
  /** Merges a patch; listeners hear of it only when something differs. */
  commit(patch: Partial<State>): void;
  replace(state: State): void;
  subscribe(listener: () => void): () => void;
}

export function createStore<State extends object>(initial: State): Store<State> {
  let state = initial;
  const listeners = new Set<() => void>();

  const tell = () => {
    for (const listener of [...listeners]) listener();
  };

  return {
    get: () => state,
    commit(patch) {
      const next = { ...state, ...patch };
      const keys = Object.keys(patch) as (keyof State)[];
      if (keys.every((key) => Object.is(state[key], next[key]))) return;
      state = next;
      tell();
    },
    replace(next) {
      state = next;
      tell();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
