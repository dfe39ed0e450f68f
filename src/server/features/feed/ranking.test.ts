import { expect, test } from "vitest";
import { createRandom, sampleBeta, hashText } from "./random.ts";
import {
  bucketOf,
  freshness,
  orderForSession,
  scoreOf,
  separateActors,
  type Candidate,
} from "./ranking.ts";

const now = Date.UTC(2026, 0, 31);
const day = 24 * 3600 * 1000;
const flat = Array.from({ length: 7 }, () => 0.5);

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

const session = (seed: string) => ({ seed, startedAtMs: now });

test("samples of a beta distribution have its mean and spread", () => {
  const random = createRandom(hashText("spread"));
  const draws = Array.from({ length: 20_000 }, () => sampleBeta(6, 14, random));
  const mean = draws.reduce((sum, draw) => sum + draw, 0) / draws.length;
  const variance = draws.reduce((sum, draw) => sum + (draw - mean) ** 2, 0) / draws.length;
  expect(mean).toBeCloseTo(0.3, 2);
  expect(variance).toBeCloseTo((6 * 14) / (20 * 20 * 21), 3);
  expect(draws.every((draw) => draw > 0 && draw < 1)).toBe(true);
});

test("the same seed gives the same order, another seed another", () => {
  const videos = many(60);
  const order = (seed: string) => orderForSession(videos, flat, session(seed)).map(({ id }) => id);
  expect(order("a")).toEqual(order("a"));
  expect(order("a")).not.toEqual(order("b"));
  expect(order("a").toSorted()).toEqual(videos.map(({ id }) => id).toSorted());
});

test("the order does not depend on the order of the candidates", () => {
  const videos = many(40);
  const order = (list: Candidate[]) =>
    orderForSession(list, flat, session("x")).map(({ id }) => id);
  expect(order(videos)).toEqual(order(videos.toReversed()));
});

test("well rewarded videos come first more often than badly rewarded ones", () => {
  const videos = many(20, (index) => ({
    rewardCount: 200,
    rewardSum: index < 10 ? 160 : 40,
  }));
  const isGood = (id: string) => Number(id.split("-")[1]) < 10;
  let good = 0;
  for (let index = 0; index < 100; index += 1) {
    const [first] = orderForSession(videos, flat, session(`s${index}`));
    if (first !== undefined && isGood(first.id)) good += 1;
  }
  expect(good).toBe(100);
});

test("a little known video varies more from session to session than a well known one", () => {
  const spread = (video: Candidate) => {
    const scores = Array.from({ length: 500 }, (_, index) =>
      scoreOf(video, flat, session(`s${index}`)),
    );
    return Math.max(...scores) - Math.min(...scores);
  };
  const unknown = candidate("a");
  const known = candidate("b", { rewardCount: 2000, rewardSum: 1000 });
  expect(spread(unknown)).toBeGreaterThan(3 * spread(known));
});

test("freshness starts at 1.3 and halves its extra every three days", () => {
  expect(freshness(0)).toBeCloseTo(1.3);
  expect(freshness(3 * day)).toBeCloseTo(1.15);
  expect(freshness(365 * day)).toBeCloseTo(1);
  expect(freshness(-day)).toBeCloseTo(1.3);
});

test("every fifth position is for a video with fewer than 100 impressions while there are any", () => {
  const videos = [
    ...many(40, () => ({ rewardCount: 500, rewardSum: 450 })),
    ...Array.from({ length: 4 }, (_, index) => candidate(`new-${index}`, { impressions: 99 })),
  ];
  const order = orderForSession(videos, flat, session("e")).map(({ id }) => id);
  for (const position of [5, 10, 15, 20]) expect(order[position - 1]).toMatch(/^new-/);
  expect(
    order
      .filter((_, index) => (index + 1) % 5 !== 0)
      .slice(0, 16)
      .join(),
  ).not.toContain("new");
});

test("videos on the screen already count as positions", () => {
  const videos = [...many(20), candidate("new", { impressions: 0 })];
  const order = orderForSession(videos, flat, session("e"), { before: [], offset: 3 });
  expect(order[1]?.id).toBe("new");
});

test("a catalogue of only new videos keeps them all", () => {
  const order = orderForSession(
    many(17, () => ({ impressions: 0 })),
    flat,
    session("n"),
  );
  expect(new Set(order.map(({ id }) => id)).size).toBe(17);
});

test("the same actor never comes twice in a row while there is another", () => {
  for (let round = 0; round < 50; round += 1) {
    const videos = many(60, (index) => ({
      actorIds: [`actor-${index % 4}`],
      impressions: index % 3 === 0 ? 10 : 1000,
    }));
    const order = orderForSession(videos, flat, session(`r${round}`), {
      before: ["actor-1"],
      offset: 1,
    });
    const actors = ["actor-1", ...order.map(({ actorIds }) => actorIds[0])];
    const pairs = actors.slice(1).map((actor, index) => ({ is: actor === actors[index], index }));
    // At the very end only one actor may be left.
    expect(pairs.filter(({ is, index }) => is && index < 45)).toEqual([]);
  }
});

test("separating keeps all videos, also where one actor is in all of them", () => {
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
])("a video of %d s is in bucket %d", (durationS, bucket) => {
  expect(bucketOf(durationS)).toBe(bucket);
});
