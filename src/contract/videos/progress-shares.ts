/** Range of the progress bar for each processing step, based on the time it usually takes. */
export const progressShares = {
  playable: [0, 0.15],
  captions: [0.15, 0.16],
  pictures: [0.16, 0.2],
  ladder: [0.2, 0.95],
  extras: [0.95, 1],
} as const;
