import type { AdPlacement } from "../contract/ads.ts";
import { closedSlotsKey, readStored } from "#web/lib/device-storage.ts";

/** Milliseconds for which a closed slot stays closed, in every tab. */
export const closedMs = 30 * 60 * 1000;

/**
 * Returns the closed slots by name with the time at which they reopen.
 * @param stored "header@1767225600000 footer@1767225700000", or null.
 */
export function readClosedSlots(stored: string | null, now: number): Map<string, number> {
  const entries = (stored ?? "").split(" ").map((entry): [string, number] => {
    const [name = "", until] = entry.split("@");
    return [name, Number(until)];
  });
  return new Map(entries.filter(([, until]) => until > now && until <= now + closedMs));
}

/** Returns the slots that are closed now. */
export const listClosedSlots = () => readClosedSlots(readStored(closedSlotsKey), Date.now());

/** Returns whether the visitor closed this slot in any tab in the last half hour. */
export function isSlotClosed(placement: AdPlacement): boolean {
  return listClosedSlots().has(placement);
}
