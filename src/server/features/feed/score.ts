import type { ScoreInputs } from "./candidate-pool.ts";
import { Random, sampleOdds } from "./random.ts";

/** Parts of a candidate's score in one session. 1/2 is usual for a video of its length. */
interface ScoreParts {
  /** Mean of its rewards. */
  mean: number;
  /** Sample around the mean (Thompson 1933; Chapelle and Li 2011). */
  sample: number;
  freshness: number;
}

/** @param seed hash of the session's seed. */
export function scoreParts(inputs: ScoreInputs, seed: number): ScoreParts {
  const { idHash, alpha, beta, usualOdds, freshness } = inputs;
  const toShare = (odds: number) => odds / usualOdds / (1 + odds / usualOdds);
  const sampled = sampleOdds(alpha, beta, new Random(seed ^ idHash));
  return { mean: toShare(alpha / beta), sample: toShare(sampled), freshness };
}

/**
 * Returns a sample of the mean reward, plus the visitor's taste, times the freshness.
 * @param taste change of the score by the visitor's taste.
 */
export function scoreOf(inputs: ScoreInputs, seed: number, taste: number): number {
  const { sample, freshness } = scoreParts(inputs, seed);
  return Math.max(0, sample + taste) * freshness;
}
