import { useSyncExternalStore } from "react";

/** Must match feed-panels.css. */
const query = "(width >= 72rem)";

function listen(tell: () => void): () => void {
  const media = window.matchMedia(query);
  media.addEventListener("change", tell);
  return () => media.removeEventListener("change", tell);
}

/** Returns whether the screen has space for panels. Narrow screens don't load their code. */
export const useHasPanels = (): boolean =>
  useSyncExternalStore(
    listen,
    () => window.matchMedia(query).matches,
    () => false,
  );
