import type { AdPlacement } from "../../../../contract/ads.ts";

/** Read before the first paint too, by the boot script: a closed place takes no room at all. */
export const closedPlacesKey = "spots-closed";

function read(): Set<string> {
  try {
    return new Set((sessionStorage.getItem(closedPlacesKey) ?? "").split(" ").filter(Boolean));
  } catch {
    return new Set();
  }
}

/** Whether the visitor closed this place in this visit. */
export function isPlaceClosed(placement: AdPlacement): boolean {
  return read().has(placement);
}

/** It stays closed until the tab is. */
export function closePlace(placement: AdPlacement): void {
  try {
    sessionStorage.setItem(closedPlacesKey, [...read().add(placement)].join(" "));
  } catch {
    // Without storage it stays closed as long as the page.
  }
}
