/**
 * Ad types by names that ad blockers' lists don't match, for URLs requested by our pages. For the
 * same reason our URLs, CSS classes and element ids say "spot" where the code says "ad".
 */
export const neutralTypes = { image: "banner", video: "video", panel: "popup" } as const;
