import { expect, test } from "vitest";
import { createCandidatePool } from "./candidate-pool.ts";
import {
  computeBucketMeans,
  bucketOf,
  freshness,
  isNewcomer,
  rewardPosterior,
  separateActors,
  baselineOdds,
  hashText,
  Random,
  sampleOdds,
  type Candidate,
} from "./ranking.ts";
import { createSessionOrder, type Shown } from "./bandit-ranker.ts";

const now = Date.UTC(2026, 0, 31);
const day = 24 * 3600 * 1000;

function candidate(id: string, values: Partial<Candidate> = {}): Candidate {
  return {
    id,
    publishedAtMs: now - 365 * day,
    durationS: 20,
    impressions: 1000,
    rewardSum: 0,
    rewardCount: 0,
    actorIds: [],
    ...values,
  };
}

const many = (count: number, values: (index: number) => Partial<Candidate> = () => ({})) =>
  Array.from({ length: count }, (_, index) => candidate(`video-${index}`, values(index)));

const none: Shown = { excludedIds: new Set(), lastActorIds: [], count: 0 };

/** Returns all candidates in the order of a session. */
function orderForSession(
  candidates: readonly Candidate[],
  seed: string,
  shown = none,
): Candidate[] {
  const order = createSessionOrder(createCandidatePool(candidates, now), seed, shown);
  return order.slice(0, order.length);
}

/** Returns the score of a video in a session, as described in docs/ranking.md. */
function scoreOf(video: Candidate, seed: string, all: readonly Candidate[] = [video]): number {
  const means = computeBucketMeans(all);
  const { alpha, beta } = rewardPosterior(video, means);
  const random = new Random(hashText(seed) ^ hashText(video.id));
  const odds = sampleOdds(alpha, beta, random) / baselineOdds(video, means);
  return (odds / (1 + odds)) * freshness(now - video.publishedAtMs);
}

/** Computes the order of `orderForSession` in the simplest way. */
function plainOrder(
  all: readonly Candidate[],
  excluded: Set<Candidate>,
  seed: string,
  shown: Shown,
) {
  const isNew = (video: Candidate) =>
    video.impressions < 100 && now - video.publishedAtMs < 24 * 3600 * 1000;
  const rankOf = (video: Candidate) =>
    isNew(video) ? -video.publishedAtMs : scoreOf(video, seed, all);
  const left = all
    .filter((video) => !excluded.has(video))
    .map((video) => ({ video, score: rankOf(video) }))
    .toSorted((a, b) => b.score - a.score || (a.video.id < b.video.id ? 1 : -1))
    .map(({ video }) => video);
  const order: Candidate[] = [];
  while (left.length > 0) {
    const explores = (shown.count + order.length + 1) % 5 === 0;
    const ofKind = left.filter((video) => isNew(video) === explores);
    const queue = ofKind.length > 0 ? ofKind : left;
    const before = order.at(-1)?.actorIds ?? shown.lastActorIds;
    const other = queue
      .slice(0, 50)
      .find(({ actorIds }) => !actorIds.some((id) => before.includes(id)));
    const next = other ?? queue[0];
    if (next === undefined) break;
    left.splice(left.indexOf(next), 1);
    order.push(next);
  }
  return order;
}

test.each([
  [6, 14],
  [0.2, 19.8],
  [12, 10],
  [700, 320],
])("draws samples of a beta distribution with %d and %d", (alpha, beta) => {
  const random = new Random(hashText("spread"));
  const count = 20_000;
  const samples = Float64Array.from({ length: count }, () => {
    const odds = sampleOdds(alpha, beta, random);
    return odds / (1 + odds);
  }).sort();
  // Integrates the density in steps that get smaller towards both ends.
  const steps = 40_000;
  const xs = Array.from({ length: steps + 1 }, (_, step) => {
    const t = step / steps;
    return t < 0.5 ? 0.5 * (2 * t) ** 8 : 1 - 0.5 * (2 - 2 * t) ** 8;
  });
  const weights = xs.slice(1).map((x, step) => {
    const middle = (x + (xs[step] ?? 0)) / 2;
    return middle ** (alpha - 1) * (1 - middle) ** (beta - 1) * (x - (xs[step] ?? 0));
  });
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  let below = 0;
  let at = 0;
  let farthest = 0;
  for (const [step, weight] of weights.entries()) {
    below += weight / whole;
    while (at < count && (samples[at] ?? 0) <= (xs[step + 1] ?? 1)) at += 1;
    farthest = Math.max(farthest, Math.abs(below - at / count));
  }
  // Kolmogorov-Smirnov bound: one seed in a thousand would exceed it.
  expect(farthest).toBeLessThan(1.95 / Math.sqrt(count));
});

test("returns the same order for the same seed and a different order for a different seed", () => {
  const videos = many(60);
  const order = (seed: string) => orderForSession(videos, seed).map(({ id }) => id);
  expect(order("a")).toEqual(order("a"));
  expect(order("a")).not.toEqual(order("b"));
  expect(order("a").toSorted()).toEqual(videos.map(({ id }) => id).toSorted());
});

test.each([0, 1, 130, 700])("orders %d videos like the simplest implementation", (count) => {
  const videos = many(count, (index) => ({
    publishedAtMs: now - (index % 40) * day - index * 1000,
    durationS: 5 + (index % 90),
    impressions: index % 3 === 0 ? 20 : 500,
    rewardSum: index % 7,
    rewardCount: index % 11,
    actorIds: index % 4 === 0 ? [] : [`actor-${index % 6}`],
  }));
  const pool = createCandidatePool(videos, now);
  for (const [round, seed] of ["a", "b", "c"].entries()) {
    const excluded = new Set(pool.candidates.filter((_, index) => index % 5 < round));
    const excludedIds = new Set([...excluded].map(({ id }) => id));
    const shown = { excludedIds, lastActorIds: ["actor-1"], count: round };
    const order = createSessionOrder(pool, seed, shown);
    const pages: Candidate[] = [];
    for (let from = 0; from < order.length; from += 10) pages.push(...order.slice(from, from + 10));
    const plain = plainOrder(pool.candidates, excluded, seed, shown);
    expect(pages.map(({ id }) => id)).toEqual(plain.map(({ id }) => id));
  }
});

test("ignores the order of the candidates", () => {
  const videos = many(40);
  const order = (list: Candidate[]) => orderForSession(list, "x").map(({ id }) => id);
  expect(order(videos)).toEqual(order(videos.toReversed()));
});

test("ranks highly rewarded videos first more often than poorly rewarded ones", () => {
  const videos = many(20, (index) => ({
    rewardCount: 200,
    rewardSum: index < 10 ? 160 : 40,
  }));
  const isGood = (id: string) => Number(id.split("-")[1]) < 10;
  let good = 0;
  for (let index = 0; index < 100; index += 1) {
    const [first] = orderForSession(videos, `s${index}`);
    if (first !== undefined && isGood(first.id)) good += 1;
  }
  expect(good).toBe(100);
});

test("varies a little-known video's rank more than a well-known one's", () => {
  const spread = (video: Candidate) => {
    const scores = Array.from({ length: 500 }, (_, index) => scoreOf(video, `s${index}`));
    return Math.max(...scores) - Math.min(...scores);
  };
  const unknown = candidate("a");
  const known = candidate("b", { rewardCount: 2000, rewardSum: 1000 });
  expect(spread(unknown)).toBeGreaterThan(3 * spread(known));
});

test("starts the freshness bonus at 15% and halves it every three days", () => {
  expect(freshness(0)).toBeCloseTo(1.15);
  expect(freshness(3 * day)).toBeCloseTo(1.075);
  expect(freshness(365 * day)).toBeCloseTo(1);
  expect(freshness(-day)).toBeCloseTo(1.15);
});

const newcomer = (id: string, ageH: number): Candidate =>
  candidate(id, { impressions: 99, publishedAtMs: now - ageH * 3_600_000 });

test("gives every fifth position to the oldest newcomer as long as there are any", () => {
  const known = many(40, () => ({ rewardCount: 50, rewardSum: 45 }));
  const videos = [...known, newcomer("new-2", 2), newcomer("new-20", 20), newcomer("new-9", 9)];
  const order = orderForSession(videos, "e").map(({ id }) => id);
  expect([5, 10, 15].map((position) => order[position - 1])).toEqual(["new-20", "new-9", "new-2"]);
  expect(order.filter((id) => id.startsWith("new"))).toHaveLength(3);
});

test("ranks a video only by its rewards after a day or 100 plays", () => {
  expect(isNewcomer(newcomer("a", 23.9), now)).toBe(true);
  expect(isNewcomer(newcomer("a", 24), now)).toBe(false);
  expect(isNewcomer({ ...newcomer("a", 1), impressions: 100 }, now)).toBe(false);
});

test("counts videos already on the screen as positions", () => {
  const videos = [...many(20), newcomer("new", 1)];
  const order = orderForSession(videos, "e", { ...none, count: 3 });
  expect(order[1]?.id).toBe("new");
});

test("keeps all videos if the whole catalogue is new", () => {
  const order = orderForSession(
    many(17, () => ({ impressions: 0, publishedAtMs: now - 1000 })),
    "n",
  );
  expect(new Set(order.map(({ id }) => id)).size).toBe(17);
});

test("compares videos with others of their length", () => {
  // Short videos are watched to the end more often, but a long one may be better for its length.
  const videos = many(60, (index) => ({
    durationS: index < 30 ? 10 : 1000,
    rewardCount: 90,
    rewardSum: index < 30 ? 80 : 20,
  }));
  const best = candidate("best", { durationS: 1000, rewardCount: 90, rewardSum: 40 });
  expect(orderForSession([...videos, best], "e")[0]?.id).toBe("best");
});

test("never shows the same actor twice in a row as long as there is another", () => {
  for (let round = 0; round < 50; round += 1) {
    const videos = many(60, (index) => ({
      actorIds: [`actor-${index % 4}`],
      impressions: index % 3 === 0 ? 10 : 1000,
    }));
    const order = orderForSession(videos, `r${round}`, {
      ...none,
      lastActorIds: ["actor-1"],
      count: 1,
    });
    const actors = ["actor-1", ...order.map(({ actorIds }) => actorIds[0])];
    const pairs = actors.slice(1).map((actor, index) => ({ is: actor === actors[index], index }));
    // Only the very end may have a single actor left.
    expect(pairs.filter(({ is, index }) => is && index < 45)).toEqual([]);
  }
});

test("keeps all videos when separating actors, even if one actor is in all of them", () => {
  const items = Array.from({ length: 5 }, (_, id) => ({ id, actorIds: ["one"] }));
  expect(separateActors(items, ["one"])).toEqual(items);
});

test.each([
  [0, 0],
  [14.9, 0],
  [15, 1],
  [59, 2],
  [60, 3],
  [1800, 6],
  [90_000, 6],
])("puts a video of %d s into bucket %d", (durationS, bucket) => {
  expect(bucketOf(durationS)).toBe(bucket);
});
