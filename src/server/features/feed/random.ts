/**
 * Hashes a text to 32 bits with FNV-1a and the finaliser of MurmurHash3, so that similar texts
 * differ.
 */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** Mulberry32. For a given seed, it produces the same numbers on every machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** Returns a number between 0 and 1, excluding both. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    const state = this.#state;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 0.5) / 0x1_0000_0000;
  }
}

/** Box and Muller, "A note on the generation of random normal deviates" (1958). */
const sampleNormal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(random.next())) * Math.cos(2 * Math.PI * random.next());

/** Marsaglia and Tsang, "A simple method for generating gamma variables" (2000). */
function sampleGamma(shape: number, random: Random): number {
  if (shape < 1) return sampleGamma(shape + 1, random) * random.next() ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = sampleNormal(random);
    const root = 1 + c * x;
    if (root <= 0) continue;
    const v = root * root * root;
    const u = random.next();
    const square = x * x;
    const isAccepted =
      u < 1 - 0.0331 * square * square || Math.log(u) < 0.5 * square + d - d * v + d * Math.log(v);
    if (isAccepted) return d * v;
  }
}

/**
 * Returns a sample of Beta(alpha, beta), both above 0, as odds x / (1 - x), which is the quotient
 * of two gamma samples.
 */
export function sampleOdds(alpha: number, beta: number, random: Random): number {
  const a = sampleGamma(alpha, random);
  return a / sampleGamma(beta, random);
}
