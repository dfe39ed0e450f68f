import { createStore } from "#web/lib/store.ts";
import { useStore } from "#web/lib/use-store.ts";

/** Makes requests wait until the user has done something, such as signing in over the page. */
export function createAsked() {
  const waiting = createStore<readonly ((isDone: boolean) => void)[]>([]);
  return {
    /** Resolves with true once the user has done it, or with false if they gave up. */
    ask: (): Promise<boolean> =>
      new Promise((resolve) => waiting.replace([...waiting.get(), resolve])),
    /** Ends the dialog for every waiting request. */
    end(isDone: boolean): void {
      const asked = waiting.get();
      waiting.replace([]);
      for (const resolve of asked) resolve(isDone);
    },
    /** Returns whether the dialog is open. */
    useIsAsked: (): boolean => useStore(waiting, ({ length }) => length > 0),
  };
}
