/** Current time as epoch milliseconds and as a `Date`. Tests can set it. */
export interface Clock {
  now(): number;
  date(): Date;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  date: () => new Date(),
};
