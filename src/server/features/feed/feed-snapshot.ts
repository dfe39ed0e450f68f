import type { Db } from "../../db/connection.ts";
import type { Clock } from "../../lib/clock.ts";
import { createCandidatePool, type CandidatePool } from "./candidate-pool.ts";
import { listCandidates, listRewards, type Rewards } from "./feed.repository.ts";

/** The candidates as of one moment. */
export interface FeedSnapshot extends CandidatePool {
  loadedAtMs: number;
}

export interface FeedSnapshots {
  /** The latest snapshot; an old one is returned while the next is loaded. */
  current(): Promise<FeedSnapshot>;
  invalidate(): void;
}

const maxAgeMs = 60_000;
/** Until then, a new candidate has the prior alone. */
const maxRewardsAgeMs = 120_000;

export function createFeedSnapshots(deps: { db: Db; clock: Clock }): FeedSnapshots {
  const { db, clock } = deps;
  let latest: Promise<FeedSnapshot> | null = null;
  let isRefreshing = false;
  let rewards: { value: Rewards; atMs: number } | null = null;

  async function load(): Promise<FeedSnapshot> {
    const loadedAtMs = clock.now();
    const candidates = await listCandidates(db);
    if (rewards === null || loadedAtMs - rewards.atMs > maxRewardsAgeMs) {
      const ids = candidates.map(({ id }) => id);
      rewards = { value: await listRewards(db, clock.date(), ids), atMs: loadedAtMs };
    }
    const { value } = rewards;
    for (const candidate of candidates) {
      const known = value.byVideo.get(candidate.id);
      candidate.rewardSum = known?.sum ?? 0;
      candidate.rewardCount = known?.count ?? 0;
    }
    return { ...createCandidatePool(candidates, value.means, loadedAtMs), loadedAtMs };
  }

  function refresh(): void {
    isRefreshing = true;
    const old = latest;
    load()
      .then((next) => {
        if (latest === old) latest = Promise.resolve(next);
      })
      // The old one stays in use; the next call tries again.
      .catch(() => undefined)
      .finally(() => {
        isRefreshing = false;
      });
  }

  return {
    async current() {
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
    invalidate() {
      latest = null;
    },
  };
}
