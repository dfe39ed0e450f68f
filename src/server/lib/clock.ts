/** Current time, which tests can set: epoch milliseconds, and a `Date` of the same instant. */
export interface Clock {
  now(): number;
  date(): Date;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  date: () => new Date(),
};
