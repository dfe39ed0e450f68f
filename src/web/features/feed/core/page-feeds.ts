import { createSavedFeeds } from "./saved-feeds.ts";

/** One memory of left feeds for this page's life; a server never saves into it. */
export const savedFeeds = createSavedFeeds(() => window.sessionStorage);
