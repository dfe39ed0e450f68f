import { expect, test } from "vitest";
import { createRandom } from "#test/reference/random.ts";
import { createCandidatePool, type CandidatePool } from "./candidate-pool.ts";
import type { FeedCandidate } from "./feed.repository.ts";
import { createSessionOrder, rankedScore, reasonOf } from "./bandit-ranker.ts";
import type { Taste } from "./taste.ts";

const nowMs = Date.UTC(2026, 0, 31);
const dayMs = 86_400_000;
const pageSize = 10;
const oldMs = nowMs - 365 * dayMs;

/**
 * Creates videos of mixed quality. Every fourth is new, and every third suits the visitor's taste.
 */
function createCandidates(seed: number): FeedCandidate[] {
  const random = createRandom(seed);
  return Array.from({ length: 80 }, (_, index) => ({
    id: `video-${String(index).padStart(3, "0")}`,
    publishedAtMs: index % 4 === 0 ? nowMs - 2 * dayMs : oldMs,
    durationS: 45,
    impressions: 1000,
    viewsToday: 0,
    rewardSum: 20 * (0.35 + 0.3 * random.next()),
    rewardCount: 20,
    actorIds: [],
    labelIds: [],
    isMembersOnly: false,
  }));
}

/** Returns a taste for every third video, except for those with one of these ids. */
const tasteOf = (candidates: readonly FeedCandidate[], except: readonly string[] = []): Taste =>
  new Map(
    candidates.map(({ id }, index) => {
      const value = index % 3 === 0 && !except.includes(id) ? 0.06 : 0;
      const none = { isLiked: false, neighbours: 0, becauseId: null };
      return [id, { ...none, value, labels: value, labelId: "harbour" }];
    }),
  );

const listFirst = (
  pool: CandidatePool<FeedCandidate>,
  seed: string,
  taste: Taste,
  count = pageSize,
) =>
  createSessionOrder(pool, seed, {
    excludedIds: new Set(),
    lastActorIds: [],
    count: 0,
    // As if the visitor liked everything, so that no place is for videos outside the taste.
    taste: new Map([...taste].map(([id, own]) => [id, { ...own, isLiked: true }])),
  }).slice(0, count);

/** The videos of the first pages of many sessions, with their reasons. */
const shown = Array.from({ length: 60 }, (_, session) => {
  const seed = `session ${session}`;
  const candidates = createCandidates(session);
  const pool = createCandidatePool(candidates, nowMs);
  const taste = tasteOf(candidates);
  const visitor = { byId: taste, titleOf: () => null };
  const order = listFirst(pool, seed, taste, pageSize + 1);
  const last = order[pageSize];
  const next = last === undefined ? 0 : (rankedScore(last, seed, visitor) ?? 0);
  return order.slice(0, pageSize).map((video) => {
    const { kind } = reasonOf(video, seed, visitor, next);
    return { seed, candidates, pool, taste, id: video.id, kind };
  });
}).flat();
type Shown = (typeof shown)[number];

const isFirst = (list: readonly FeedCandidate[], id: string) =>
  list.some((video) => video.id === id);

/** Returns whether the video would be on the page even if the visitor's taste didn't favor it. */
const ranksWithoutTaste = ({ seed, pool, candidates, id }: Shown) =>
  isFirst(listFirst(pool, seed, tasteOf(candidates, [id])), id);
/** Returns whether the video would be on the page even if it were old. */
const staysIfOld = ({ seed, candidates, taste, id }: Shown) => {
  const aged = candidates.map((video) =>
    video.id === id ? { ...video, publishedAtMs: oldMs } : video,
  );
  return isFirst(listFirst(createCandidatePool(aged, nowMs), seed, taste), id);
};

test("returns taste as the reason for every video that needs it to be on the page", () => {
  const placed = shown.filter((video) => !ranksWithoutTaste(video));
  expect(placed.length).toBeGreaterThan(50);
  expect(new Set(placed.map(({ kind }) => kind))).toEqual(new Set(["label"]));
});

test("doesn't name taste as the reason if another term decided the position", () => {
  const others = shown.filter((video) => ranksWithoutTaste(video) && !staysIfOld(video));
  expect(others.length).toBeGreaterThan(5);
  expect(others.map(({ kind }) => kind)).not.toContain("label");
});

test("doesn't name freshness as the reason if another term decided the position", () => {
  const named = shown.filter(({ kind }) => kind === "fresh");
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((video) => staysIfOld(video) && !ranksWithoutTaste(video))).toEqual([]);
});
