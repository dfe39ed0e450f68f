/**
 * The same types under names that mean nothing to the lists of ad blockers, for addresses that our
 * own pages call.
 */
export const neutralTypes = { still: "banner", film: "video", window: "popup" } as const;
