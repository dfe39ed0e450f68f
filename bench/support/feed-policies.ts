import { createCandidatePool, type CandidatePool } from "#server/features/feed/candidate-pool.ts";
import { hashText, Random, sampleOdds } from "#server/features/feed/ranking.ts";
import { createSessionOrder } from "#server/features/feed/bandit-ranker.ts";
import { pageSize, type Policy, type SimulatedVideo } from "./feed-world.ts";

/** Product code, unchanged. */
export function productPolicy(): Policy {
  let pool: CandidatePool<SimulatedVideo> | null = null;
  let indexOf = new Map<string, number>();
  return {
    name: "Kinora",
    refresh(videos, nowMs) {
      pool = createCandidatePool(videos, nowMs);
      indexOf = new Map(videos.map(({ id }, index) => [id, index]));
    },
    page(seed) {
      if (pool === null) return [];
      const shown = { excludedIds: new Set<string>(), lastActorIds: [], count: 0 };
      return createSessionOrder(pool, seed, shown)
        .slice(0, pageSize)
        .flatMap(({ id }) => indexOf.get(id) ?? []);
    },
  };
}

/** Policy that takes the best videos by a score drawn per session. */
function scorePolicy(
  name: string,
  score: (video: SimulatedVideo, random: Random, total: number) => number,
): Policy {
  let videos: readonly SimulatedVideo[] = [];
  let total = 1;
  return {
    name,
    refresh(latest) {
      videos = latest;
      total = latest.reduce((sum, video) => sum + video.rewardCount, 1);
    },
    page(seed) {
      const random = new Random(hashText(seed));
      const scores = Float64Array.from(videos, (video) => score(video, random, total));
      const best: number[] = [];
      for (let place = 0; place < Math.min(pageSize, scores.length); place += 1) {
        let top = 0;
        for (let index = 1; index < scores.length; index += 1) {
          if ((scores[index] ?? 0) > (scores[top] ?? 0)) top = index;
        }
        best.push(top);
        scores[top] = -Infinity;
      }
      return best;
    },
  };
}

/** Baselines for comparison. Equal scores are ordered randomly. */
export const createBaselines = (): Policy[] => [
  scorePolicy("random", (_video, random) => random.next()),
  scorePolicy("newest", (video, random) => video.publishedAtMs + random.next()),
  scorePolicy("most viewed", (video, random) => video.impressions + random.next()),
  scorePolicy("Thompson", ({ rewardSum, rewardCount }, random) =>
    sampleOdds(1 + rewardSum, 1 + Math.max(0, rewardCount - rewardSum), random),
  ),
  // Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of the multiarmed bandit problem" (2002).
  scorePolicy("UCB", ({ rewardSum, rewardCount }, random, total) =>
    rewardCount === 0
      ? 10 + random.next()
      : rewardSum / rewardCount + Math.sqrt((2 * Math.log(total)) / rewardCount),
  ),
];
