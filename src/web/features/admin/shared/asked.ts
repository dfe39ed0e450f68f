import { createStore } from "#web/lib/store.ts";
import { useStore } from "#web/lib/use-store.ts";

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
  const waiting = createStore<readonly ((isDone: boolean) => void)[]>([]);
  return {
    ask: () => new Promise((resolve) => waiting.replace([...waiting.get(), resolve])),
    end(isDone) {
      const asked = waiting.get();
      waiting.replace([]);
      for (const resolve of asked) resolve(isDone);
    },
    useIsAsked: () => useStore(waiting, ({ length }) => length > 0),
  };
}
