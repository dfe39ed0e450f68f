/** The cookie with the ads that a visitor does not want to see, as `stoppedKey`s with dots between. */
export const stoppedCookie = "stopped_spots";
/** The oldest go first. */
export const maxStopped = 30;

const keyPattern = /^[0-9a-f]{12}$/;

/** The last 12 digits of an ad's id, all of them random. */
export const stoppedKey = (adId: string): string => adId.slice(-12).toLowerCase();

/** The keys in the value of the cookie; anything else in it is ignored. */
export const readStopped = (value: string): string[] =>
  value
    .split(".")
    .filter((key) => keyPattern.test(key))
    .slice(-maxStopped);
