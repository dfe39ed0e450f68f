import { useSyncExternalStore } from "react";

const noop = () => () => undefined;

/**
 * Returns false on the server and during hydration, whose output must match, and true afterwards.
 */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    noop,
    () => true,
    () => false,
  );
}
