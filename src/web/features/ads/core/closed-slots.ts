import type { AdPlacement } from "../../../../contract/ads.ts";

/** The boot script reads it before the first paint, so that a closed slot takes no space. */
export const closedSlotsKey = "spots-closed";

function read(): Set<string> {
  try {
    return new Set((sessionStorage.getItem(closedSlotsKey) ?? "").split(" ").filter(Boolean));
  } catch {
    return new Set();
  }
}

/** Whether the visitor closed this slot in this tab. */
export function isSlotClosed(placement: AdPlacement): boolean {
  return read().has(placement);
}

/** Closes the slot until the tab is closed. */
export function closeSlot(placement: AdPlacement): void {
  try {
    sessionStorage.setItem(closedSlotsKey, [...read().add(placement)].join(" "));
  } catch {
    // Without storage the slot stays closed until the next page load.
  }
}
