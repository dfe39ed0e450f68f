import { createCandidatePool } from "#server/features/feed/candidate-pool.ts";
import { createSessionOrder } from "#server/features/feed/session-order.ts";
import {
  createTaste,
  tastePlaysMax,
  tasteTuning,
  type TasteNeighbour,
  type TasteTuning,
} from "#server/features/feed/taste.ts";
import {
  coWatched,
  likeness,
  neighboursMax,
  pickVaried,
  rarity,
  relatedScore,
  titleLikeness,
  trigrams,
  type Candidate as RelatedCandidate,
} from "#server/features/related/related.ts";
import { limits } from "#contract/limits.ts";
import { meanOf } from "./feed-world.ts";
import type { TasteVideo, TasteVisitor, TasteWorld } from "./taste-world.ts";

const noSteering = { lessTagIds: [], disliked: [] };
const longAgoMs = 400 * 86_400_000;

interface CoWatching {
  /** Number of visitors who watched both videos, by the indexes of the two. */
  both: Map<number, number>[];
  audience: number[];
  /** Nearest videos of each video with their weights, as stored by the site. */
  nearest: { index: number; weight: number }[][];
}

/** Counts which videos the same visitors watched. Uses only visitors that the site knows. */
export function countTogether({ videos, known }: TasteWorld): CoWatching {
  const indexOf = new Map(videos.map((video, index) => [video, index]));
  const both = videos.map(() => new Map<number, number>());
  const audience = videos.map(() => 0);
  for (const { plays } of known) {
    // Only engaged plays count.
    const indexes = plays
      .filter(({ reward }) => reward * 45 >= 10)
      .flatMap(({ video }) => indexOf.get(video) ?? []);
    for (const a of indexes) {
      audience[a] = (audience[a] ?? 0) + 1;
      for (const b of indexes) {
        if (a !== b) both[a]?.set(b, (both[a]?.get(b) ?? 0) + 1);
      }
    }
  }
  const nearest = both.map((others, index) =>
    [...others]
      .map(([other, n]) => ({
        index: other,
        weight: coWatched(n, audience[index] ?? 0, audience[other] ?? 0),
      }))
      .toSorted((a, b) => b.weight - a.weight)
      .slice(0, neighboursMax),
  );
  return { both, audience, nearest };
}

/**
 * Returns the mean percentile, by the visitor's own rewards, of the ten videos that the feed puts
 * first.
 */
export function replayTaste(
  { videos, heldOut }: TasteWorld,
  together: CoWatching,
  watches: number,
  tuning: TasteTuning | null = tasteTuning,
): number {
  const pool = createCandidatePool(videos, longAgoMs);
  const percentiles: number[] = [];
  for (const [number, visitor] of heldOut.entries()) {
    const history = visitor.plays.slice(0, watches);
    const excludedIds = new Set(history.map(({ video }) => video.id));
    const plays = history.slice(-tastePlaysMax).map(({ video, reward }) => ({
      videoId: video.id,
      title: video.title,
      reward,
      usualReward: (video.rewardSum + 5) / (video.rewardCount + 10),
      labelIds: video.labelIds,
    }));
    const own = videos.filter(({ id }) => !excludedIds.has(id));
    const neighbours = neighboursOf(videos, history, together);
    const taste =
      tuning === null ? null : createTaste(videos, plays, neighbours, noSteering, tuning);
    const best = createSessionOrder(pool, `visitor ${number}`, {
      excludedIds,
      lastActorIds: [],
      count: 0,
      // As if the visitor liked everything, so that no place is for videos outside the taste.
      taste: taste && new Map([...taste].map(([id, one]) => [id, { ...one, isLiked: true }])),
    }).slice(0, 10);
    const sorted = Float64Array.from(own, (video) => visitor.playReward(video)).sort();
    for (const video of best) percentiles.push(percentileOf(visitor.playReward(video), sorted));
  }
  return meanOf(percentiles);
}

function percentileOf(value: number, sorted: Float64Array): number {
  let below = 0;
  while (below < sorted.length && (sorted[below] ?? 0) < value) below += 1;
  return below / sorted.length;
}

/**
 * Sums over the neighbours of the visitor's plays, weighted by reward, as the database's query
 * does.
 */
function neighboursOf(
  videos: readonly TasteVideo[],
  history: TasteVisitor["plays"],
  { nearest }: CoWatching,
): TasteNeighbour[] {
  const indexOf = new Map(videos.map((video, index) => [video, index]));
  const sums = new Map<number, TasteNeighbour & { best: number }>();
  for (const { video, reward } of history.slice(-tastePlaysMax)) {
    for (const { index, weight } of nearest[indexOf.get(video) ?? 0] ?? []) {
      const part = weight * reward;
      const known = sums.get(index) ?? {
        videoId: videos[index]?.id ?? "",
        weight: 0,
        becauseId: video.id,
        best: 0,
      };
      known.weight += part;
      if (part > known.best) Object.assign(known, { best: part, becauseId: video.id });
      sums.set(index, known);
    }
  }
  return [...sums.values()];
}

interface RelatedScores {
  /**
   * Share of held-out viewers of a video who also watched a related one, for the most and least
   * viewed third.
   */
  known: number;
  tail: number;
  sameGenre: number;
}

export function scoreRelated({ videos, heldOut }: TasteWorld, together: CoWatching): RelatedScores {
  const listed = new Map<string, number>();
  for (const { tagIds } of videos) {
    for (const id of tagIds) listed.set(id, (listed.get(id) ?? 0) + 1);
  }
  const subjects = videos.map((video) => ({
    id: video.id,
    score: 0,
    reason: "title" as const,
    tags: new Map(video.tagIds.map((id) => [id, rarity(videos.length, listed.get(id) ?? 0)])),
    actorIds: video.actorIds,
    categoryIds: [video.genreId],
    title: video.title,
  }));
  const runs = videos.map(({ title }) => trigrams(title));
  const watchedBy = heldOut.map(({ plays }) => new Set(plays.map(({ video }) => video)));
  const byAudience = [...videos.keys()].toSorted(
    (a, b) => (together.audience[b] ?? 0) - (together.audience[a] ?? 0),
  );
  const third = Math.floor(videos.length / 3);
  const hits = { known: [] as number[], tail: [] as number[] };
  let same = 0;
  let all = 0;
  for (const [place, index] of byAudience.entries()) {
    const own = subjects[index];
    const video = videos[index];
    if (own === undefined || video === undefined) continue;
    const size = together.audience[index] ?? 0;
    const candidates: RelatedCandidate[] = subjects
      .map((subject, other) => ({
        ...subject,
        score: relatedScore(
          likeness(own, subject, titleLikeness(runs[index] ?? new Set(), runs[other] ?? new Set())),
          coWatched(together.both[index]?.get(other) ?? 0, size, together.audience[other] ?? 0),
          size,
        ),
      }))
      .filter((_subject, other) => other !== index)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, 40);
    const picked = pickVaried(candidates, limits.relatedCount).picked.map(({ id }) => id);
    const shown = videos.filter(({ id }) => picked.includes(id));
    same += shown.filter(({ genreId }) => genreId === video.genreId).length;
    all += shown.length;
    const viewers = watchedBy.filter((set) => set.has(video));
    const list = place < third ? hits.known : place >= 2 * third ? hits.tail : [];
    for (const viewer of viewers) {
      list.push(shown.filter((each) => viewer.has(each)).length / Math.max(1, shown.length));
    }
  }
  return { known: meanOf(hits.known), tail: meanOf(hits.tail), sameGenre: same / all };
}
