import { createStore } from "#web/lib/store.ts";

/**
 * Element that contains popups, or null for the page itself. The feed puts them into its scroller,
 * so that swipes and wheel events that start on a popup move the feed.
 */
export const popupHost = createStore<{ element: HTMLElement | null }>({ element: null });
