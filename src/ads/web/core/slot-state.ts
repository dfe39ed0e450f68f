/** Slots in pages. The other placements belong to the player and the feed. */
export type SlotPlacement = "header" | "sidebar" | "footer";

/** `empty`: reserved space without an ad; `gone`: closed, or no ad and the space was off screen. */
export type SlotState = "waiting" | "shown" | "empty" | "gone";
