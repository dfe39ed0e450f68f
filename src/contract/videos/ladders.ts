/** A shorter video ends before a better rendition is worth its requests: its one file plays to the end. */
export const minLadderDurationS = 60;

/** When AV1 renditions are made: never, or when no other video is processed. */
export const efficientModes = ["off", "idle"] as const;
export type EfficientMode = (typeof efficientModes)[number];
