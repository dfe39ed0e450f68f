/**
 * Minimum duration of a video with a ladder. Shorter videos end before a better rendition is worth
 * its requests, so their single file plays throughout.
 */
export const minLadderDurationS = 60;

/** When to make AV1 renditions: never, or while no other video is processed. */
export const efficientModes = ["off", "idle"] as const;
export type EfficientMode = (typeof efficientModes)[number];
