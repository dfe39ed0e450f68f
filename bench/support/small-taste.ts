import { createCandidatePool } from "#server/features/feed/candidate-pool.ts";
import type { FeedCandidate } from "#server/features/feed/feed.repository.ts";
import { createSessionOrder } from "#server/features/feed/bandit-ranker.ts";
import { createTaste } from "#server/features/feed/taste.ts";
import { createRandom } from "#test/reference/random.ts";
import { meanOf } from "./feed-world.ts";

const longAgoMs = 400 * 86_400_000;
const genres = 8;
const visitors = 200;
const playsOfVideo = 8;

/**
 * Returns the mean share of loved videos among the first ten, after `plays` plays of random videos
 * in a catalogue of `count`. The visitor watches one of eight categories to the end and leaves all
 * others early.
 */
export function lovedShare(count: number, plays: number, seed: number): number {
  const random = createRandom(seed);
  const candidates: FeedCandidate[] = Array.from({ length: count }, (_, index) => ({
    id: `video-${String(index).padStart(6, "0")}`,
    publishedAtMs: 0,
    durationS: 45,
    impressions: 100,
    viewsToday: 0,
    rewardSum: playsOfVideo * Math.min(0.9, Math.max(0.1, 0.45 + 0.12 * random.normal())),
    rewardCount: playsOfVideo,
    isMembersOnly: false,
    actorIds: [],
    labelIds: [
      `genre-${index % genres}`,
      `tag-${index % genres}-${random.below(5)}`,
      `tag-${random.below(genres)}-${random.below(5)}`,
    ],
  }));
  const pool = createCandidatePool(candidates, longAgoMs);
  const isLoved = (index: number) => index % genres === 0;
  const shares = Array.from({ length: visitors }, (_, visitor) => {
    const seen = new Set<number>();
    while (seen.size < plays) seen.add(random.below(count));
    const history = [...seen].map((index) => ({
      videoId: candidates[index]?.id ?? "",
      title: "",
      reward: isLoved(index) ? 1 : 0,
      usualReward: 0.45,
      labelIds: candidates[index]?.labelIds ?? [],
    }));
    const taste = createTaste(candidates, history, [], { lessTagIds: [], disliked: [] });
    const order = createSessionOrder(pool, `visitor ${seed} ${visitor}`, {
      excludedIds: new Set([...seen].map((index) => candidates[index]?.id ?? "")),
      lastActorIds: [],
      count: 0,
      taste,
    });
    const loved = order.slice(0, 10).filter(({ id }) => isLoved(Number(id.slice("video-".length))));
    return loved.length / 10;
  });
  return meanOf(shares);
}
