/** The time, as something tests can hold still. Epoch milliseconds and `Date` of the same instant. */
export interface Clock {
  now(): number;
  date(): Date;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  date: () => new Date(),
};
