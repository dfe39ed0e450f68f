import { createStore } from "#web/lib/store.ts";

/**
 * Where popups are put, or null for the page itself. The feed takes them into its scroller, so that
 * swipes and wheel events that start on a popup move the feed.
 */
export const popupHost = createStore<{ element: HTMLElement | null }>({ element: null });
