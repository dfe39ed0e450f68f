/** Number of equal parts of a video for which plays are counted. */
export const binCount = 100;

/** Number of plays below which curves would show noise. */
export const minCurvePlays = 20;

/**
 * How often each part of the video was played in one viewing, at most three times: two bits per part,
 * two parts per hexadecimal digit. The first part is in the lower bits of the first digit.
 */
export const watchedBinsPattern = /^[\da-f]{0,50}$/;
