/** Cookie with the ads that a visitor has hidden, as `stoppedKey`s separated by dots. */
export const stoppedCookie = "stopped_spots";
/** Maximum number of hidden ads. The oldest are dropped first. */
export const maxStopped = 30;

const keyPattern = /^[0-9a-f]{12}$/;

/** Returns the last 12 digits of an ad's id, which are random. */
export const stoppedKey = (adId: string): string => adId.slice(-12).toLowerCase();

/** Returns the keys in the cookie's value. Ignores anything else in it. */
export const readStopped = (value: string): string[] =>
  value
    .split(".")
    .filter((key) => keyPattern.test(key))
    .slice(-maxStopped);
