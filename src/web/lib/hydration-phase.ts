import { useSyncExternalStore } from "react";

const noop = () => () => undefined;

/** Returns false on the server and while hydrating, whose output must agree; then true. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    noop,
    () => true,
    () => false,
  );
}
