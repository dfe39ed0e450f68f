/** Bytes of one gigabyte, as providers count traffic. */
export const gigabyte = 1_000_000_000;

/**
 * Smallest and largest budget of media bytes per hour. An hour in 1080p with the highest bit rate of
 * the ladder needs less than a third of the smallest one.
 */
export const mediaBudgetBytes = { min: 20 * gigabyte, max: 1_000_000 * gigabyte };
