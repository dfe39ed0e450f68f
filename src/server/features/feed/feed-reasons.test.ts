import { expect, test } from "vitest";
import { createRandom } from "#test/reference/random.ts";
import { createCandidatePool } from "./candidate-pool.ts";
import { reasonOf, scoreOf } from "./feed-reasons.ts";
import type { FeedSnapshot } from "./feed-snapshot.ts";
import type { FeedCandidate } from "./feed.repository.ts";
import { createSessionOrder } from "./session-order.ts";
import { createLabelColumns } from "./taste.ts";
import type { VisitorTaste } from "./visitor-taste.ts";

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
  }));
}

function createSnapshot(unsorted: readonly FeedCandidate[]): FeedSnapshot {
  const pool = createCandidatePool(unsorted, nowMs);
  const labels = createLabelColumns(pool.candidates);
  return { ...pool, labels, loadedAtMs: nowMs, rewardScale: 1 };
}

function createVisitorTaste(values: Float32Array): VisitorTaste {
  return {
    values,
    liked: new Uint8Array(values.length),
    partsOf: (index) => ({
      labels: values[index] ?? 0,
      labelId: "harbour",
      neighbours: 0,
      becauseId: null,
    }),
    titleOf: () => null,
  };
}

const tasteOf = (count: number) =>
  Float32Array.from({ length: count }, (_, index) => (index % 3 === 0 ? 0.06 : 0));

const listFirst = (snapshot: FeedSnapshot, seed: string, taste: Float32Array, count = pageSize) => [
  ...createSessionOrder(snapshot, seed, {
    excluded: [],
    lastActorIds: [],
    count: 0,
    taste,
  }).slice(0, count),
];

/** The videos of the first pages of many sessions, with their reasons. */
const shown = Array.from({ length: 60 }, (_, session) => {
  const seed = `session ${session}`;
  const candidates = createCandidates(session);
  const snapshot = createSnapshot(candidates);
  const taste = tasteOf(candidates.length);
  const visitor = createVisitorTaste(taste);
  const order = listFirst(snapshot, seed, taste, pageSize + 1);
  const next = scoreOf(snapshot, order[pageSize] ?? 0, seed, visitor) ?? 0;
  return order.slice(0, pageSize).map((index) => {
    const { kind } = reasonOf(snapshot, index, seed, visitor, next);
    return { seed, candidates, snapshot, taste, index, kind };
  });
}).flat();
type Shown = (typeof shown)[number];

/** Returns whether the video would be on the page even if the visitor's taste didn't favor it. */
const ranksWithoutTaste = ({ seed, snapshot, taste, index }: Shown) =>
  listFirst(
    snapshot,
    seed,
    taste.map((value, at) => (at === index ? 0 : value)),
  ).includes(index);
/** Returns whether the video would be on the page even if it were old. */
const staysIfOld = ({ seed, candidates, taste, index }: Shown) => {
  const aged = candidates.map((video, at) =>
    at === index ? { ...video, publishedAtMs: oldMs } : video,
  );
  return listFirst(createSnapshot(aged), seed, taste).includes(index);
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
