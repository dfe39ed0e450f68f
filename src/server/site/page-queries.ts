/**
 * The query names that pages read while the server renders them. A page that reads a new one is
 * cached without it until it is added here.
 */
export const pageQueries: Record<string, readonly string[]> = {
  "/": ["search", "category", "sort", "cursor"],
  "/home": ["search", "category", "sort", "cursor"],
  "/trending": ["timeRange", "cursor"],
  "/search": ["search", "category", "sort", "length", "date", "quality", "cursor"],
  "/tags/:slug": ["cursor"],
  "/categories/:slug": ["cursor"],
  "/actors/:slug": ["cursor"],
  "/auth/signin": ["next", "error", "step"],
  // Their tokens are for the browser alone.
  "/auth/invitation": [],
  "/auth/reset": [],
  "/auth/forgot": [],
  "/setup": ["token"],
  "/feed": [],
  "/feed/:slug": [],
  "/tags": [],
  "/categories": [],
  "/actors": [],
  "/video/:slug": [],
  "/embed/:slug": [],
  "/favorites": [],
  "/library": [],
  "/report/:slug": ["sent", "error", "comment"],
  "/comments/:slug": ["sent", "error", "cursor"],
  "/takedown": ["sent", "error"],
  "/removals": [],
  "/terms": [],
  "/privacy": ["forgotten", "error"],
  "/contact": [],
  "/source": [],
  "/admin": [],
  "/admin/:page": [],
  "/admin/videos/:id": [],
};
