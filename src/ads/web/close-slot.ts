import type { AdPlacement } from "../contract/ads.ts";
import { closedSlotsKey, writeStored } from "#web/lib/device-storage.ts";
import { closedMs, listClosedSlots } from "./closed-slots.ts";

/** Closes the slot for half an hour. */
export function closeSlot(placement: AdPlacement): void {
  const closed = listClosedSlots().set(placement, Date.now() + closedMs);
  const entries = [...closed].map(([name, until]) => `${name}@${until}`);
  // Without storage, the slot stays closed until the next page load.
  writeStored(closedSlotsKey, entries.join(" "));
}
