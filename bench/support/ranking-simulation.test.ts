import { expect, test } from "vitest";
import { createBaselines, productPolicy } from "./feed-policies.ts";
import { learn, plantBest, shareOfNew, shareOfPushed } from "./feed-scenarios.ts";
import { createTasteWorld } from "./taste-world.ts";
import { countTogether, replayTaste } from "./taste-replay.ts";

/** A tenth of the simulation of `npm run bench -- ranking`. */
const small = { videos: 80, historyPlays: 0, impressions: 4000, newDays: 1 };

test("learns faster than every other way to choose", () => {
  const { regret } = learn(productPolicy(), 1, small);
  for (const other of createBaselines()) {
    expect([other.name, learn(other, 1, small).regret > regret]).toEqual([other.name, true]);
  }
});

test("promotes the best video soon after publication and gives nearly all new ones their plays", () => {
  expect(plantBest(productPolicy(), 1, small)).toBeLessThanOrEqual(2000);
  expect(shareOfNew(productPolicy(), 1, small)).toBeGreaterThan(0.95);
});

test("doesn't promote a video through bots that play one video each", () => {
  expect(shareOfPushed(productPolicy(), 1, small)).toBeLessThan(0.01);
});

test("finds a visitor's favorites better with taste than with the overall best videos", () => {
  const world = createTasteWorld(1, { videos: 200, visitors: 300, playsEach: 40, heldOut: 60 });
  const together = countTogether(world);
  const all = replayTaste(world, together, 20, null);
  expect(replayTaste(world, together, 20)).toBeGreaterThan(all + 0.02);
});
