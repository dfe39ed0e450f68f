import { useSyncExternalStore } from "react";

const noop = () => () => undefined;

/** False on the server and in the first drawing of the browser, which must agree; then true. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    noop,
    () => true,
    () => false,
  );
}
