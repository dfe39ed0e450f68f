/**
 * Ad types by names that the lists of ad blockers do not match, for URLs that our own pages request.
 * For the same reason our URLs, CSS classes and element ids say "spot" where the code says "ad".
 */
export const neutralTypes = { image: "banner", video: "video", panel: "popup" } as const;
