/** Seeded random numbers (mulberry32). */
export interface Random {
  /** Returns a uniform number in [0, 1). */
  next(): number;
  /** Returns a whole number in [0, below). */
  below(below: number): number;
  pick<T>(list: readonly T[]): T;
  /** Returns a rank in [0, count) with a Zipf distribution, like views of videos. */
  zipf(count: number): number;
  /** Returns a normally distributed number with mean 0 and standard deviation 1. */
  normal(): number;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return {
    next,
    below,
    pick(list) {
      const item = list[below(list.length)];
      if (item === undefined) throw new Error("nothing to pick from");
      return item;
    },
    zipf: (count) => Math.min(count - 1, Math.floor(Math.exp(next() * Math.log(count + 1))) - 1),
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  };
}
