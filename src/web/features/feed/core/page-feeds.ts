import { createSavedFeeds } from "./saved-feeds.ts";

/** Saved feeds of this page. The server never writes to it. */
export const savedFeeds = createSavedFeeds(() => window.sessionStorage);
