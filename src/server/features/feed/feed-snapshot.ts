import type { Db } from "#server/db/connection.ts";
import type { Clock } from "#server/lib/clock.ts";
import { createCandidatePool, type CandidatePool } from "./candidate-pool.ts";
import { rewardScale } from "#server/features/engagement/rewards.ts";
import { listCandidates, type FeedCandidate } from "./feed.repository.ts";

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
