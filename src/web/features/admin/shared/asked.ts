import { useSyncExternalStore } from "react";

/** Makes requests wait until the user has done something, such as signing in over the page. */
export interface Asked {
  /** Resolves with true once the user has done it, or with false if they gave up. */
  ask(): Promise<boolean>;
  /** Ends the dialog for every waiting request. */
  end(isDone: boolean): void;
  /** Returns whether the dialog is open. */
  useIsAsked(): boolean;
}

export function createAsked(): Asked {
  let waiting: ((isDone: boolean) => void)[] = [];
  const listeners = new Set<() => void>();
  const setWaiting = (next: typeof waiting) => {
    waiting = next;
    for (const listener of listeners) listener();
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const isAsked = () => waiting.length > 0;
  return {
    ask: () => new Promise((resolve) => setWaiting([...waiting, resolve])),
    end(isDone) {
      const asked = waiting;
      setWaiting([]);
      for (const resolve of asked) resolve(isDone);
    },
    useIsAsked: () => useSyncExternalStore(subscribe, isAsked, () => false),
  };
}
