import type { Db } from "#server/db/connection.ts";
import type { Clock } from "#server/lib/clock.ts";
import { rewardScale } from "#server/features/engagement/rewards.ts";
import {
  computeBucketMeans,
  freshness,
  isNewcomer,
  rewardPosterior,
  baselineOdds,
  hashText,
  Random,
  sampleOdds,
  type Candidate,
} from "./ranking.ts";
import { listCandidates, type FeedCandidate } from "./feed.repository.ts";

/** Inputs of a candidate's score that don't depend on the session. */
export interface ScoreInputs {
  idHash: number;
  alpha: number;
  beta: number;
  usualOdds: number;
  freshness: number;
  isNewcomer: boolean;
}

export type Scored<C extends Candidate = Candidate> = C & ScoreInputs;

/** Candidates and their data at one moment. */
export interface CandidatePool<C extends Candidate = Candidate> {
  /** Sorted by id. */
  candidates: readonly Scored<C>[];
  byId: ReadonlyMap<string, Scored<C>>;
}

export function createCandidatePool<C extends Candidate>(
  unsorted: readonly C[],
  nowMs: number,
): CandidatePool<C> {
  const means = computeBucketMeans(unsorted);
  const candidates = unsorted
    .map((candidate) => ({
      ...candidate,
      ...rewardPosterior(candidate, means),
      idHash: hashText(candidate.id),
      usualOdds: baselineOdds(candidate, means),
      freshness: freshness(nowMs - candidate.publishedAtMs),
      isNewcomer: isNewcomer(candidate, nowMs),
    }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return { candidates, byId: new Map(candidates.map((candidate) => [candidate.id, candidate])) };
}

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

/** Candidates at one moment. */
export interface FeedSnapshot extends CandidatePool<FeedCandidate> {
  loadedAtMs: number;
  /** Factor of forward decay at that moment. */
  rewardScale: number;
}

const maxAgeMs = 60_000;

export function createFeedSnapshots(deps: { db: Db; clock: Clock }) {
  const { db, clock } = deps;
  let latest: Promise<FeedSnapshot> | null = null;
  let isRefreshing = false;

  async function load(): Promise<FeedSnapshot> {
    const loadedAtMs = clock.now();
    const candidates = await listCandidates(db, clock.date());
    return {
      ...createCandidatePool(candidates, loadedAtMs),
      rewardScale: rewardScale(loadedAtMs),
      loadedAtMs,
    };
  }

  function refresh(): void {
    isRefreshing = true;
    const old = latest;
    load()
      .then((next) => {
        if (latest === old) latest = Promise.resolve(next);
      })
      // Keeps the old snapshot. The next call tries again.
      .catch(() => undefined)
      .finally(() => {
        isRefreshing = false;
      });
  }

  return {
    /** Returns the latest snapshot. While the next one is loading, returns the old one. */
    async current(): Promise<FeedSnapshot> {
      if (latest === null) {
        const loading = load();
        latest = loading;
        loading.catch(() => {
          if (latest === loading) latest = null;
        });
      }
      const snapshot = await latest;
      if (clock.now() - snapshot.loadedAtMs > maxAgeMs && !isRefreshing) refresh();
      return snapshot;
    },
    invalidate(): void {
      latest = null;
    },
  };
}
