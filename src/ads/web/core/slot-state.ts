import { createContext } from "react";

/** True on pages whose handle has `allowsTrustedAds`. */
export const AllowsTrustedAds = createContext(false);

/** Slots in pages. The other placements belong to the player and the feed. */
export type SlotPlacement = "header" | "sidebar" | "footer";

/**
 * `empty` is reserved space without an ad. `gone` is a slot whose ad the visitor has hidden, or one
 * without an ad that was off screen.
 */
export type SlotState = "waiting" | "shown" | "empty" | "gone";
