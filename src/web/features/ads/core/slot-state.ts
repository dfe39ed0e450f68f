/** Places inside pages. The others belong to the player and the feed. */
export type SlotPlacement = "header" | "sidebar" | "footer";

/** `empty`: room without an ad; `gone`: closed, or nothing came and nobody saw the room. */
export type SpotState = "waiting" | "shown" | "empty" | "gone";
